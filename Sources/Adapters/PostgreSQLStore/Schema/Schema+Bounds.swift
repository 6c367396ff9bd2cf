extension Schema {
  /// From version 2 to 3: what bounds are counted by. A regd that knows version 2 would take codes that were never mailed: it has to
  /// be upgraded.
  static let bounding = Step(statements: claimBounds + mailBounds, oldest: 3)

  private static let claimBounds = [
    // whether the mail with its code was admitted; 0 or 1
    "ALTER TABLE claim ADD COLUMN mailed integer NOT NULL DEFAULT 1",
    """
    UPDATE claim SET mailed = 0 WHERE state <> 'decoy'
      AND id IN (SELECT claim_id FROM mail WHERE state = 'suppressed')
      AND id NOT IN (SELECT claim_id FROM mail WHERE state <> 'suppressed' AND claim_id IS NOT NULL)
    """,
    "DROP INDEX claim_of_user",
    "CREATE INDEX claim_unmailed ON claim (email_key) WHERE mailed = 0",
  ]

  private static let mailBounds: [String] = []
}
