extension Schema {
  /// From version 8 to 9: a claim's `mailed` may be 2 as well: the own bound of a known user and origin has admitted the
  /// mail with its code. The index has the claims that do not rank as mailed. A regd of version 8 may stay: it gives such a
  /// claim no code.
  static let ranks = Step(
    statements: [
      "DROP INDEX claim_unmailed",
      "CREATE INDEX claim_unranked ON claim (email_key) WHERE mailed <> 1",
    ], oldest: 8)
}
