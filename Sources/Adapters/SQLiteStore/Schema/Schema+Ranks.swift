extension Schema {
  /// Lets a claim's `mailed` be 2 as well: the own bound of a known user and origin has admitted the mail with its code. It
  /// is 3 if such a recovery is hidden. The index has the claims whose mails the address's bound did not admit. Also notes
  /// whether an account's owner has proven its address.
  static let ranks = """
    ALTER TABLE account ADD COLUMN proven INTEGER;           -- 1: its owner has proven the address; NULL: older than this column
    DROP INDEX claim_unmailed;
    CREATE INDEX claim_unranked ON claim (email_key) WHERE mailed <> 1;
    """
}
