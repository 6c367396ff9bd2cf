package import Registration

extension PasswordPolicy {
  /// Makes a policy with the shipped rules, or with other values.
  package init(
    minimumLength: Int = 8, maximumLength: Int = 256, refuseCommon: Bool = true, refuseResemblingEmail: Bool = true,
    breached: (any BreachedPasswordList)? = nil, normalizer: any TextNormalizer
  ) {
    var rules: [PasswordRule] = [.minimumLength(minimumLength), .maximumLength(maximumLength)]
    if refuseCommon { rules.append(.notCommon) }
    if refuseResemblingEmail { rules.append(.notLikeEmail) }
    if let breached { rules.append(.notBreached(breached)) }
    self.init(rules, normalizer: normalizer)
  }
}
