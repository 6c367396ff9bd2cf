/// The hashes for codes. Implementations use a library.
package protocol CodeHashing: Sendable {
  /// The HMAC-SHA-256 (RFC 2104, FIPS 198-1) of the message: 32 bytes.
  func hash(_ message: [UInt8], key: CodeKey) -> [UInt8]

  /// The SHA-256 (FIPS 180-4) of the message: 32 bytes.
  func digest(_ message: [UInt8]) -> [UInt8]

  /// Whether both are equal. The time that this takes reveals only the lengths.
  func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool
}
