internal import Registration

/// Reads and writes requests: the names that callers give their registrations.
enum RequestRow {
  /// Finds a request. The columns are those of its account, then its password hash.
  static func look(_ request: RequestKey) -> Statement {
    Statement(
      """
      SELECT \(AccountRow.columns), request.password_hash FROM request JOIN account ON account.id = request.account_id
      WHERE request.uid = $1 AND request.id = $2
      """, ["\(request.uid)", .text(request.id)])
  }

  static func read(_ row: Row) throws(ServerFailure) -> KnownRequest {
    KnownRequest(
      account: try AccountRow.read(row).account,
      passwordHash: PasswordHash(phc: row.text(Int32(StoredAccount.columns.count))))
  }

  static func find(_ connection: Connection, _ request: RequestKey) throws(ServerFailure) -> KnownRequest? {
    guard let row = try connection.answer(look(request)).first else { return nil }
    return try read(row)
  }

  /// Inserts nothing if the request is known, or the account does not exist.
  static func insertion(_ request: RequestKey, _ id: AccountID) -> Statement {
    Statement(
      """
      INSERT INTO request (uid, id, account_id, password_hash)
      SELECT $1::bigint, $2, id, password_hash FROM account WHERE id = $3 ON CONFLICT (uid, id) DO NOTHING
      """, ["\(request.uid)", .text(request.id), .text(id.description)])
  }
}
