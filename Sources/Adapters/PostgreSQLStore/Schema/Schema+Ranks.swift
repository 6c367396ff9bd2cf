extension Schema {
  /// From version 9 to 10: a claim's `mailed` may also be 2, if the own bound of a known user and origin has admitted
  /// the mail with its code. It is 3 if such a recovery is hidden. The index contains the claims whose mails were not
  /// admitted by the address's bound. Also notes whether an account's owner has proven its address. A regd of version 9
  /// must be upgraded, because it would change an address and leave the note of the proof.
  static let ranks = Step(
    statements: [
      "DROP INDEX claim_unmailed",
      "CREATE INDEX claim_unranked ON claim (email_key) WHERE mailed <> 1",
      // 1 if the owner has verified the address, NULL if the row is older than this column
      "ALTER TABLE account ADD COLUMN proven integer",
    ], oldest: 10)
}
