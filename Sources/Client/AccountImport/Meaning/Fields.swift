internal import RegdClient
internal import Registration

/// The values of a record's members. A member that decides whether an account is active, proven or deleted must have the
/// type that the other system gives it. Otherwise the record is refused and the member is named.
extension JSONValue {
  /// The text of a member: a string's characters, or a number's digits. Nil if the member is absent, null or empty.
  func text(_ name: String) -> String? {
    switch self[name] {
    case .string(let text)?: text.isEmpty ? nil : text
    case .number(let digits)?: digits
    case .null?, .bool?, .array?, .object?, nil: nil
    }
  }

  /// The hash of a member.
  func hash(_ name: String) throws(RecordRefusal) -> String {
    guard let text = text(name) else { throw .noPassword }
    return text
  }

  func address(_ name: String) throws(RecordRefusal) -> String {
    guard let text = text(name) else { throw .noAddress }
    return text
  }

  /// Whether a member is true, in one of the spellings that databases use. MySQL's BIT is `b'1'` in phpMyAdmin's exports, and a
  /// byte in others, as `0x01` or as it is. Nil if the member is absent, null or empty.
  func flag(_ name: String) throws(RecordRefusal) -> Bool? {
    if case .bool(let flag)? = self[name] { return flag }
    switch try scalar(name)?.lowercased() {
    case nil: return nil
    case "t", "true", "1", "yes", "y", "on", "b'1'", "0x01", "\u{1}": return true
    case "f", "false", "0", "no", "n", "off", "b'0'", "0x00", "\0": return false
    case .some: throw .malformed(.member(name))
    }
  }

  /// Whether a member switches the account on. A system without the member has no switch, but a member without a value
  /// does not mean that the account is on.
  func isOn(_ name: String) throws(RecordRefusal) -> Bool {
    guard self[name] != nil else { return true }
    guard let flag = try flag(name) else { throw .malformed(.member(name)) }
    return flag
  }

  /// Whether a member states that the address is proven. It is unknown if the member is absent, and not proven if the member has no value.
  func proof(_ name: String) throws(RecordRefusal) -> SourceAccount.Proof {
    guard self[name] != nil else { return .unknown }
    return try flag(name) == true ? .unknown : .open
  }

  /// The time of a member, or nil if the member is absent, null or empty, or has MySQL's zero date.
  func time(_ name: String) throws(RecordRefusal) -> Timestamp? {
    guard let text = try scalar(name), !Times.isZero(text) else { return nil }
    guard let time = Times.time(text) else { throw .malformed(.member(name)) }
    return time
  }

  /// Whether a member is a time after `now`, or PostgreSQL's "infinity".
  func isLater(_ name: String, than now: Timestamp) throws(RecordRefusal) -> Bool {
    if text(name)?.lowercased() == "infinity" { return true }
    return try time(name).map { $0 > now } ?? false
  }

  /// The elements of a member that is an array, or no elements if the member is absent or null.
  func elements(_ name: String) throws(RecordRefusal) -> [JSONValue] {
    switch self[name] {
    case .array(let elements)?: return elements
    case .null?, nil: return []
    case .bool?, .number?, .string?, .object?: throw .malformed(.member(name))
    }
  }

  /// A string's characters, or a number's digits, or nil if the member is absent, null or empty.
  private func scalar(_ name: String) throws(RecordRefusal) -> String? {
    switch self[name] {
    case .bool?, .array?, .object?: throw .malformed(.member(name))
    case .string?, .number?, .null?, nil: return text(name)
    }
  }
}
