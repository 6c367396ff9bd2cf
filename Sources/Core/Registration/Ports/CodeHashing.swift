/// A keyed hash for codes, by a library.
package protocol CodeHashing: Sendable {
  /// HMAC-SHA-256 (RFC 2104, FIPS 198-1): 32 bytes.
  func hash(_ message: [UInt8], key: CodeKey) -> [UInt8]

  /// Whether both are the same, in a time that tells nothing but their lengths.
  func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool
}
