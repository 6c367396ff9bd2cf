internal import Registration

/// An account as a row, and back.
enum AccountRow {
  /// In the order of the table's columns.
  static func parameters(_ stored: StoredAccount) -> [String] {
    let account = stored.account
    return [
      account.id.description, account.email.typed, account.email.key.value, stored.passwordHash.phc,
      account.state.rawValue, account.createdAt.rfc3339, account.updatedAt.rfc3339,
    ]
  }

  /// Columns that name one account.
  enum Column: String {
    case id
    case emailKey = "email_key"
  }

  static func find(
    _ connection: Connection, by column: Column, _ value: String
  ) throws(SQLiteFailure) -> StoredAccount? {
    try connection.query(
      """
      SELECT id, email, email_key, password_hash, state, created_at, updated_at
      FROM account WHERE \(column.rawValue) = ?1
      """, [value], read
    ).first
  }

  private static func read(_ row: borrowing Row) throws(SQLiteFailure) -> StoredAccount {
    guard let id = AccountID(row.text(0)), let state = Account.State(rawValue: row.text(4)),
      let createdAt = Timestamp(rfc3339: row.text(5)), let updatedAt = Timestamp(rfc3339: row.text(6))
    else { throw SQLiteFailure.damaged("the row of account \(row.text(0)) is damaged") }
    let email = EmailAddress(stored: row.text(1), key: EmailKey(row.text(2)))
    return StoredAccount(
      account: Account(id: id, email: email, state: state, createdAt: createdAt, updatedAt: updatedAt),
      passwordHash: PasswordHash(phc: row.text(3)))
  }
}
