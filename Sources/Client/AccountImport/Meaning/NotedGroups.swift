package import Localization
internal import Registration

/// The names of groups under the keys by which they are found. For a group whose record lists its members, these are the
/// names of the members. For a group to which accounts refer, it is the group's id. Keeps 24 bytes for each key of a group.
struct NotedGroups {
  private struct Note: Comparable {
    let key: KeyDigest
    /// A key of `texts`.
    var name: UInt32

    static func < (one: Note, other: Note) -> Bool {
      one.key == other.key ? one.name < other.name : one.key < other.key
    }
  }

  private var notes: [Note] = []
  private var texts: [UInt32: String] = [:]
  /// The keys of `texts`. Empty after `settle`.
  private var indices: [String: UInt32] = [:]

  /// Set in the key of a name that is not a group name, so that such names come after the others.
  private static let misnamed: UInt32 = 1 << 31
  /// How many such names an account gets at most. The names are only shown.
  private static let mostMisnamed = 20
  /// How many of the last notes have no name yet (`hold`).
  private var held = 0

  /// Notes keys of an entry that is not complete yet. The next `note` gives them the group's name, and `drop` removes them.
  mutating func hold(_ keys: [String]) {
    for key in keys { notes.append(Note(key: KeyDigest(key), name: 0)) }
    held += keys.count
  }

  mutating func drop() {
    notes.removeLast(held)
    held = 0
  }

  mutating func note(_ group: SourceGroup) {
    let isGood = GroupName(group.name) != nil
    let name = isGood ? group.name : ShownName.shortened(group.name)
    let index = indices[name] ?? UInt32(clamping: indices.count) | (isGood ? 0 : Self.misnamed)
    indices[name] = index
    texts[index] = name
    for place in notes.indices.suffix(held) { notes[place].name = index }
    held = 0
    for key in group.keys { notes.append(Note(key: KeyDigest(key), name: index)) }
  }

  /// Sorts the notes, and removes those that occur more than once. To be called after `note` has got all groups.
  mutating func settle() {
    indices = [:]
    notes.sort()
    var count = 0
    for index in notes.indices where count == 0 || notes[count - 1] != notes[index] {
      notes[count] = notes[index]
      count += 1
    }
    notes.removeLast(notes.count - count)
  }

  /// The names of the groups with this key: at most one more than an account may have, and then a few that are not group names.
  func names(of key: String) -> [String] {
    let key = KeyDigest(key)
    return names(of: key, from: 0, atMost: Groups.most + 1)
      + names(of: key, from: Self.misnamed, atMost: Self.mostMisnamed)
  }

  private func names(of key: KeyDigest, from first: UInt32, atMost count: Int) -> [String] {
    let start = Note(key: key, name: first)
    var (low, high) = (notes.startIndex, notes.endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if notes[middle] < start { low = middle + 1 } else { high = middle }
    }
    return notes[low...].prefix(count).prefix { $0.key == key && $0.name & Self.misnamed == first }
      .compactMap { texts[$0.name] }
  }
}

/// A group that a record of an export describes.
struct SourceGroup {
  /// The name as the system has it. It need not be a group name.
  let name: String
  /// The keys under which accounts find the group.
  let keys: [String]
}

/// What the first reading of all files notes for the second one: addresses that several accounts have, and the members of groups.
package struct FirstReading {
  var addresses = NotedAddresses()
  var groups = NotedGroups()

  package init() {}

  /// To be called after `ForeignImport.note` has read all files.
  package mutating func settle() {
    addresses.settle()
    groups.settle()
  }
}

/// Groups that an account is imported without.
package struct LeftOutGroups: Equatable, Sendable {
  /// Names in the other system that are not group names, shortened.
  package let misnamed: [String]
  /// The ids of groups whose names are in no file.
  let missing: [String]

  /// - Parameter names: The names of the account's groups in the other system.
  package init(of names: [String], missing: [String] = []) {
    misnamed = names.filter { GroupName($0) == nil }.map(ShownName.shortened)
    self.missing = missing.map(ShownName.shortened)
  }

  package var isEmpty: Bool { misnamed.isEmpty && missing.isEmpty }

  /// The stable name for programs that read a report.
  package static let reason = "groups.leftOut"

  /// The messages for a person.
  package var sentences: [LocalizedMessage] {
    var sentences: [LocalizedMessage] = []
    if !misnamed.isEmpty {
      sentences.append(LocalizedMessage(RecordMessageKey.groupsMisnamed, ["groups": Self.list(misnamed)]))
    }
    if !missing.isEmpty {
      sentences.append(LocalizedMessage(RecordMessageKey.groupsMissing, ["groups": Self.list(missing)]))
    }
    return sentences
  }

  /// How many groups a message names at most.
  private static let named = 10

  private static func list(_ names: [String]) -> LocalizedMessage.Content {
    let list = LocalizedMessage.Content.joined(names.prefix(named).map { .text("\"\($0)\"") })
    return names.count > named ? .sentence(LocalizedMessage(ListMessageKey.more, ["list": list])) : list
  }
}

/// A name of another system, as far as it is shown to a person.
enum ShownName {
  static func shortened(_ name: String) -> String { String(name.unicodeScalars.prefix(80)) }
}

extension LocalizedMessage.Content {
  /// A list with commas, which is empty for no contents.
  static func joined(_ contents: [LocalizedMessage.Content]) -> LocalizedMessage.Content {
    contents.reduce(nil as LocalizedMessage.Content?) { list, next in
      guard let list else { return next }
      return .sentence(LocalizedMessage(ListMessageKey.comma, ["first": list, "second": next]))
    } ?? ""
  }
}
