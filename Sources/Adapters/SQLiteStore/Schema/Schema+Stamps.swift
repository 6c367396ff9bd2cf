extension Schema {
  /// Adds the epochs of accounts, on which the stamps (proofs) of sign-ins depend, and the doors (sockets other than
  /// regd's own) in the audit.
  static let stamps = """
    ALTER TABLE account ADD COLUMN epoch TEXT;               -- another one ends all sign-ins; NULL: none has since version 12
    ALTER TABLE claim ADD COLUMN epoch TEXT;                 -- the account's, when its owner wanted another address
    ALTER TABLE installation ADD COLUMN stamp_key TEXT;      -- 64 hexadecimal digits; NULL in a back-up: whoever opens it makes one
    ALTER TABLE audit ADD COLUMN door TEXT;                  -- through which the requester came; NULL: regd's own socket
    """
}
