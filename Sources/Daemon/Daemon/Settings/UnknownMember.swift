/// A user or group that the configuration names, and that this machine does not have or cannot look up. regd starts anyway,
/// and logs the name.
package struct UnknownMember: Equatable, Sendable {
  let key: String
  /// With its kind, such as `user postfix`.
  package let name: String
  var missing = SystemNames.Missing.absent
  /// The id that the name keeps from the running configuration, or nil if the name has no effect.
  var kept: UInt32?

  /// In an operator's words.
  var warning: String {
    let reason =
      switch missing {
      case .absent: "there is no \(name) on this machine"
      case .failed(let detail): "the \(name) cannot be looked up (\(detail))"
      case .silent(let seconds): "this machine has not found the \(name) within \(seconds) s"
      }
    return "\(reason), so \(kept.map { "its last known id, \($0), stays in force" } ?? "the name has no effect")"
  }
}

extension SettingsReader {
  /// Looks up a user or group that a key names.
  ///
  /// A name whose look-up fails keeps the id of the running configuration. Without such an id, the name has no effect. In
  /// both cases regd warns. The configuration is refused instead
  /// - if the name is one of `access.deny`, because its user could otherwise connect,
  /// - if the name must have an id,
  /// - if the machine does not answer a reload in time, because the next look-up may succeed.
  ///
  /// - Parameter absence: The problem if this machine does not have the name, or nil if the name then has no effect.
  /// - Returns: Nil if there is no id.
  mutating func id(of name: SystemNames.Name, for key: String, orRefuse absence: String? = nil) -> UInt32? {
    switch machine.id(of: name) {
    case .id(let id):
      machine.use(id, of: name)
      return id
    case .missing(let missing, let lastKnown):
      if missing == .absent, let absence {
        refuse(key, absence)
        return nil
      }
      let isDenied = key.hasPrefix("access.deny.")
      // a denied user remains denied, because the C library may report a user as absent while its directory does not answer
      let kept = missing == .absent && !isDenied ? nil : lastKnown
      if let kept {
        machine.use(kept, of: name)
      } else if let outage = missing.outage(of: name, isRequired: isDenied || absence != nil) {
        refuse(key, outage: outage)
        return nil
      }
      unknownMembers.append(
        UnknownMember(key: key, name: "\(name.kind) \(name.text)", missing: missing, kept: kept))
      return kept
    }
  }
}

extension SystemNames.Missing {
  /// The problem of a configuration that is refused because nothing is known about the name. Nil if it need not be refused.
  ///
  /// - Parameter isRequired: Whether the name must not be left out.
  fileprivate func outage(of name: SystemNames.Name, isRequired: Bool) -> String? {
    let reason: String
    switch self {
    case .absent: return nil
    case .failed(let detail):
      guard isRequired else { return nil }
      reason = "the \(name) cannot be looked up (\(detail))"
    case .silent(let seconds): reason = "this machine has not found the \(name) within \(seconds) s"
    }
    return
      "\(reason); write its id instead, or check the services in /etc/nsswitch.conf, for example with: \(name.command)"
  }
}
