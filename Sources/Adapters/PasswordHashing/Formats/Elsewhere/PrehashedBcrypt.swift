internal import Registration
internal import Sentences

/// bcrypt over a digest of the password, so that all of it counts.
struct PrehashedBcrypt: ForeignHash {
  enum Digest {
    /// HMAC-SHA-384 in base64 of the password without white space around it: WordPress since 6.8.
    case wordPress
    /// SHA-256 in hexadecimal digits: Django.
    case django
  }

  let digest: Digest
  let bcrypt: PasswordHashFormat.Bcrypt

  /// `$wp$2y$cost$` and then salt and value.
  ///
  /// - Parameter fields: Those behind `wp`.
  init(wordPress text: String, _ fields: ArraySlice<PasswordHashFields.Field>) throws(PasswordHashFault) {
    guard fields.count == 3, fields.first?.elementsEqual("2y".utf8) == true else {
      throw .malformed(.fields, expected: .hash(.expectedBcrypt, ["form": "$wp$2y$cost$"]))
    }
    digest = .wordPress
    bcrypt = try PasswordHashFormat.Bcrypt(String(text.dropFirst(3)), fields.dropFirst())
  }

  /// `bcrypt_sha256$` and then a hash of bcrypt.
  ///
  /// - Parameter bcrypt: That hash.
  init(django bcrypt: PasswordHashFormat.Bcrypt) {
    digest = .django
    self.bcrypt = bcrypt
  }

  func requireBearableCost() throws(PasswordHashFault) { try bcrypt.requireBearableCost() }

  var milliseconds: Int { (1 << bcrypt.cost) / 20 }

  /// WordPress takes the white space around a password away, so that its hash has not seen it.
  func seesAll(of password: Password) -> Bool {
    switch digest {
    case .django: true
    case .wordPress: password.withBytes { Self.trimmed($0).count == $0.count }
    }
  }

  /// What PHP's trim() leaves: space, tab, line feed, carriage return, NUL and vertical tab go.
  static func trimmed(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
    let space: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, 0x00, 0x0B]
    let start = bytes.firstIndex { !space.contains($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !space.contains($0) }.map { $0 + 1 } ?? start
    return bytes[start..<end]
  }
}
