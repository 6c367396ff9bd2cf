/// The name of a group of accounts: `[a-z0-9][a-z0-9._-]{0,31}`. A group exists while an account is a member of it.
package struct GroupName: Hashable, Comparable, Sendable, LosslessStringConvertible {
  package let description: String

  /// - Returns: Nil if the text is not a group name.
  package init?(_ text: String) {
    guard let first = text.utf8.first, text.utf8.count <= 32, Self.isAlphanumeric(first),
      text.utf8.allSatisfy({ Self.isAlphanumeric($0) || ".-_".utf8.contains($0) })
    else { return nil }
    description = text
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Compares bytes, as the databases do.
  package static func < (one: GroupName, other: GroupName) -> Bool {
    one.description.utf8.lexicographicallyPrecedes(other.description.utf8)
  }
}

/// The groups of one account, or those that an invitation gives: at most `most`, sorted, each once.
package struct Groups: Hashable, Sendable {
  package let names: [GroupName]

  package static let most = 64
  package static let none = Groups(names: [])

  private init(names: [GroupName]) { self.names = names }

  /// - Returns: Nil if these are more than `most` groups. A name that occurs twice counts once.
  package init?(_ names: some Sequence<GroupName>) {
    self.init(names: Set(names).sorted())
    guard self.names.count <= Self.most else { return nil }
  }

  package var isEmpty: Bool { names.isEmpty }

  package func contains(_ name: GroupName) -> Bool { names.contains(name) }

  /// - Returns: Nil if these would be more than `most` groups.
  func adding(_ added: [GroupName]) -> Groups? { Groups(names + added) }

  func removing(_ removed: [GroupName]) -> Groups { Groups(names: names.filter { !removed.contains($0) }) }

  /// The names separated by spaces, as databases keep them, or nil if there are no groups.
  package var stored: String? { isEmpty ? nil : names.map(\.description).joined(separator: " ") }

  /// - Returns: Nil if the text is not a list of groups as `stored` writes it.
  package init?(stored text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    let names = parts.compactMap { GroupName(String($0)) }
    guard names.count == parts.count, let groups = Groups(names), groups.stored == text else { return nil }
    self = groups
  }
}

/// The groups that an account must be in to sign in somewhere.
package struct GroupRequirement: Sendable {
  /// The account must be in at least one group of each list.
  private let lists: [[GroupName]]

  /// - Parameter lists: An empty list sets no condition.
  package init(_ lists: [GroupName]...) { self.lists = lists.filter { !$0.isEmpty } }

  var isEmpty: Bool { lists.isEmpty }

  package func isMet(by groups: Groups) -> Bool { lists.allSatisfy { $0.contains { groups.contains($0) } } }

  /// Different requirements have different texts.
  var text: String { lists.map { $0.map(\.description).joined(separator: " ") }.joined(separator: "\n") }
}

/// The groups that a change has added to an account and removed from it.
package struct GroupChange: Hashable, Sendable {
  package let added: [GroupName]
  package let removed: [GroupName]

  package init(from old: Groups, to new: Groups) {
    added = new.names.filter { !old.names.contains($0) }
    removed = old.names.filter { !new.names.contains($0) }
  }

  /// The names separated by spaces, each after "+" if it was added, and after "-" if it was removed.
  package var stored: String { (added.map { "+\($0)" } + removed.map { "-\($0)" }).joined(separator: " ") }

  /// - Returns: Nil if the text is not a change as `stored` writes it.
  package init?(stored text: String) {
    let parts = text.split(separator: " ")
    let names = parts.compactMap { GroupName(String($0.dropFirst())) }
    guard names.count == parts.count else { return nil }
    let signs = parts.map(\.first)
    added = zip(signs, names).filter { $0.0 == "+" }.map(\.1)
    removed = zip(signs, names).filter { $0.0 == "-" }.map(\.1)
    guard stored == text else { return nil }
  }
}

/// A group with the number of its members, in every state.
package struct CountedGroup: Hashable, Sendable {
  package let name: GroupName
  package let members: Int

  package init(_ name: GroupName, members: Int) { (self.name, self.members) = (name, members) }
}
