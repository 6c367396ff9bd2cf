extension Schema {
  /// Lets a claim's `mailed` also be 2, if the own bound of a known user and origin has admitted the mail with its
  /// code. It is 3 if such a recovery is hidden. The index contains the claims whose mails were not admitted by the
  /// address's bound. Also notes whether an account's owner has proven its address.
  static let ranks = """
    ALTER TABLE account ADD COLUMN proven INTEGER;           -- 1: its owner has proven the address; NULL: older than this column
    DROP INDEX claim_unmailed;
    CREATE INDEX claim_unranked ON claim (email_key) WHERE mailed <> 1;
    """
}
