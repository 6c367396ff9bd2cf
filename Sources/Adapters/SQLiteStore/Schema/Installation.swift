internal import Registration

/// Data that a database has once: the key of codes.
enum Installation {
  /// Makes the key if there is none.
  static func make(_ connection: Connection) throws(SQLiteFailure) {
    try connection.run(
      "INSERT INTO installation (code_key) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM installation)",
      [CodeKey.random().hexadecimal])
  }

  static func codeKey(_ connection: Connection) throws(SQLiteFailure) -> CodeKey {
    let found = try connection.query("SELECT code_key FROM installation") { (row) throws(SQLiteFailure) in row.text(0) }
    guard found.count == 1, let key = CodeKey(hexadecimal: found[0]) else {
      throw SQLiteFailure.damaged(
        "its table installation must have one row with a code_key of 64 hexadecimal digits, and has not; restore a backup"
      )
    }
    return key
  }

  static func replace(_ connection: Connection, by key: CodeKey) throws(SQLiteFailure) {
    try connection.run("DELETE FROM installation")
    try connection.run("INSERT INTO installation (code_key) VALUES (?1)", [key.hexadecimal])
  }
}

extension CodeKey {
  /// 64 digits in lower case.
  fileprivate var hexadecimal: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  fileprivate init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 64, digits.allSatisfy({ "0123456789abcdef".utf8.contains($0) }) else { return nil }
    let bytes = stride(from: 0, to: 64, by: 2).compactMap {
      UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
    self.init(bytes)
  }
}
