package import Registration

/// `password`: which passwords are accepted.
package struct PasswordSettings: Equatable, Sendable {
  package var minimumLength: Int
  package var maximumLength: Int
  package var refuseCommon: Bool
  package var refuseResemblingEmail: Bool
  /// A file made by `regctl breached build`, or "" for none.
  package var breachedList: String

  init(_ reader: inout SettingsReader) {
    minimumLength = reader.integer("password.minimumLength", default: 8, 1...1024)
    maximumLength = reader.integer("password.maximumLength", default: 256, 1...4096)
    refuseCommon = reader.flag("password.refuseCommon", default: true)
    refuseResemblingEmail = reader.flag("password.refuseResemblingEmail", default: true)
    breachedList = reader.optionalPath("password.breachedList")
    if maximumLength < minimumLength {
      reader.refuse("password.maximumLength", "must not be less than password.minimumLength, which is \(minimumLength)")
    }
  }

  /// The rules that the keys ask for, in the order of their problems in replies.
  ///
  /// - Parameter breached: The opened `breachedList`, or nil if none is configured.
  package func rules(_ breached: (any BreachedPasswordList)?) -> [PasswordRule] {
    var rules: [PasswordRule] = [.minimumLength(minimumLength), .maximumLength(maximumLength)]
    if refuseCommon { rules.append(.notCommon) }
    if refuseResemblingEmail { rules.append(.notLikeEmail) }
    if let breached { rules.append(.notBreached(breached)) }
    return rules
  }
}
