internal import Registration

/// Erases the addresses of the audit's entries, with their salts and the origins of the entries. Their commitment remains.
enum AuditAddressRow {
  /// SQL that reads addresses, and locks them, unless another regd erases them.
  ///
  /// - Parameter condition: Selects them. `$2` is the most that are read.
  static func looking(_ condition: String) -> String {
    """
    SELECT number, email, (SELECT origin FROM audit WHERE audit.number = audit_address.number), salt
      FROM audit_address WHERE \(condition) LIMIT $2::bigint FOR UPDATE SKIP LOCKED
    """
  }

  /// Erases the addresses that `looking` has found.
  static func erasing(_ found: Answer, _ cryptography: any AuditCryptography) -> Statement {
    let rows = found.rows.map { row in
      let origin = row.bytes(2).flatMap { String(validating: $0, as: UTF8.self) }
      let commitment = row.bytes(3).map { AuditSeal.digest($0, email: row.optional(1), origin: origin, cryptography) }
      return (number: row.text(0), commitment: commitment.map(Statement.Parameter.hexadecimal))
    }
    return Statement(erasure, [.array(rows.map(\.number)), .array(rows.map(\.commitment))])
  }

  static let erasure = """
    WITH given AS (SELECT * FROM unnest($1::bigint[], $2::bytea[]) AS given (number, commitment)),
      erased AS (UPDATE audit_address SET email = NULL, ended_at = NULL, salt = NULL, commitment = given.commitment
        FROM given WHERE audit_address.number = given.number)
    UPDATE audit SET origin = NULL FROM given WHERE audit.number = given.number AND origin IS NOT NULL
    """
}
