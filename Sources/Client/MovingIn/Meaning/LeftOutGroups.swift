internal import Registration
package import Sentences

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

  /// The sentences for a person.
  package var sentences: [Sentence] {
    var sentences: [Sentence] = []
    if !misnamed.isEmpty { sentences.append(Sentence(RecordSentence.groupsMisnamed, ["groups": Self.list(misnamed)])) }
    if !missing.isEmpty { sentences.append(Sentence(RecordSentence.groupsMissing, ["groups": Self.list(missing)])) }
    return sentences
  }

  /// How many groups a sentence names at most.
  private static let named = 10

  private static func list(_ names: [String]) -> Sentence.Content {
    let list = Sentence.Content.joined(names.prefix(named).map { .text("\"\($0)\"") })
    return names.count > named ? .sentence(Sentence(ListSentence.more, ["list": list])) : list
  }
}

/// A name of another system, as far as it is shown to a person.
enum ShownName {
  static func shortened(_ name: String) -> String { String(name.unicodeScalars.prefix(80)) }
}

extension Sentence.Content {
  /// A list with commas, which is empty for no contents.
  static func joined(_ contents: [Sentence.Content]) -> Sentence.Content {
    contents.reduce(nil as Sentence.Content?) { list, next in
      guard let list else { return next }
      return .sentence(Sentence(ListSentence.comma, ["first": list, "second": next]))
    } ?? ""
  }
}
