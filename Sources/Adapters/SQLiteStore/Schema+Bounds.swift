extension Schema {
  /// What bounds are counted by.
  static let bounds = boundsOfClaims + boundsOfMails

  private static let boundsOfClaims = """
    ALTER TABLE claim ADD COLUMN mailed INTEGER NOT NULL DEFAULT 1;  -- whether the mail with its code was admitted; 0 or 1
    UPDATE claim SET mailed = 0 WHERE state <> 'decoy'
      AND id IN (SELECT claim_id FROM mail WHERE state = 'suppressed')
      AND id NOT IN (SELECT claim_id FROM mail WHERE state <> 'suppressed' AND claim_id IS NOT NULL);
    DROP INDEX claim_share;
    CREATE INDEX claim_unmailed ON claim (email_key) WHERE mailed = 0;

    """

  private static let boundsOfMails = """
    """
}
