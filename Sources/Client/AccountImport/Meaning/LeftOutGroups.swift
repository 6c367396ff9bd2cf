package import Localization
internal import Registration

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
