package import Localization
package import RegdClient

/// What a verification has found.
package struct AuditReport: Sendable {
  /// A head whose key is not that of the head before it.
  package struct KeyChange: Equatable, Sendable {
    /// The line in the file of heads, or nil for the present head.
    package let line: Int?
    package let head: AuditHead
  }

  /// The number of entries that regd has returned.
  package let entries: Int
  /// The root of their tree.
  package let root: AuditHash
  /// The present head.
  package let head: AuditHead
  /// In the order in which they should be reported.
  package let differences: [AuditDifference]
  package let keyChanges: [KeyChange]
}

/// Something that shows that the audit was changed.
package enum AuditDifference: Equatable, Sendable {
  /// The first entry whose content is not that of the stored tree.
  case changed(entry: Int)
  /// The first entry that the stored tree does not have.
  case added(entry: Int)
  /// The stored tree has an entry between these two, and `events.list` does not return it.
  case missing(after: Int?, before: Int?)
  /// The entries fit the stored tree and the head before this line, but not the head of this line. The change is after
  /// the entry `after`, up to the entry `through`.
  case rewritten(after: Int, through: Int, line: Int)
  /// The head of this line is for more entries than there are.
  case cutOff(line: Int, size: Int, entries: Int)
  /// The address or the origin of an entry is not the one to which the entry commits.
  case commitment(entry: Int)
  /// The signature of a head is wrong. The line is nil for the present head.
  case signature(line: Int?)
  /// The entries do not have the root of the present head, and the proofs of regd do not lead to an entry.
  case notLocated(LocalizedMessage)

  package var sentence: LocalizedMessage {
    func said(_ key: AuditMessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:])
      -> LocalizedMessage
    {
      LocalizedMessage(key, values)
    }
    func number(_ number: Int) -> LocalizedMessage.Content { .text("\(number)") }
    switch self {
    case .changed(let entry): return said(.changed, ["entry": number(entry)])
    case .added(let entry): return said(.added, ["entry": number(entry)])
    case .missing(let after?, let before?):
      return said(.missing, ["after": number(after), "before": number(before)])
    case .missing(let after?, nil): return said(.missingAtEnd, ["after": number(after)])
    case .missing(nil, let before?): return said(.missingAtBegin, ["before": number(before)])
    case .missing(nil, nil): return said(.missingAll)
    case .rewritten(let after, let through, let line):
      return said(.rewritten, ["after": number(after), "through": number(through), "line": number(line)])
    case .cutOff(let line, let size, let entries):
      return said(.cutOff, ["line": number(line), "size": number(size), "entries": number(entries)])
    case .commitment(let entry): return said(.commitment, ["entry": number(entry)])
    case .signature(let line?): return said(.signature, ["line": number(line)])
    case .signature(nil): return said(.presentSignature)
    case .notLocated(let reason): return said(.notLocated, ["reason": .sentence(reason)])
    }
  }
}

extension AuditDifference {
  /// The difference for programs: its kind, and the entries or the line that it names.
  package var json: JSONValue {
    func object(_ kind: String, _ numbers: KeyValuePairs<String, Int?> = [:]) -> JSONValue {
      let members = numbers.compactMap { name, number in
        number.map { JSONValue.Member(name, .number("\($0)")) }
      }
      return .object([.init("kind", .string(kind))] + members)
    }
    switch self {
    case .changed(let entry): return object("changed", ["entry": entry])
    case .added(let entry): return object("added", ["entry": entry])
    case .missing(let after, let before): return object("missing", ["after": after, "before": before])
    case .rewritten(let after, let through, let line):
      return object("rewritten", ["after": after, "through": through, "line": line])
    case .cutOff(let line, let size, let entries):
      return object("cutOff", ["line": line, "size": size, "entries": entries])
    case .commitment(let entry): return object("commitment", ["entry": entry])
    case .signature(let line): return object("signature", ["line": line])
    case .notLocated: return object("notLocated")
    }
  }
}
