internal import Localization
internal import Registration

/// bcrypt of a digest of the password, so that bytes after the 72nd also count.
struct PrehashedBcrypt: ForeignHash {
  enum Digest {
    /// WordPress since 6.8: base64 of HMAC-SHA-384 of the password without leading and trailing white space.
    case wordPress
    /// Django: SHA-256 in hexadecimal digits.
    case django
  }

  let digest: Digest
  let bcrypt: PasswordHashFormat.Bcrypt

  /// `$wp$2y$cost$`, then salt and value.
  ///
  /// - Parameter fields: The fields after `wp`.
  init(wordPress text: String, _ fields: ArraySlice<PasswordHashFields.Field>) throws(PasswordHashFault) {
    guard fields.count == 3, fields.first?.elementsEqual("2y".utf8) == true else {
      throw .malformed(.fields, expected: .hash(.expectedBcrypt, ["form": "$wp$2y$cost$"]))
    }
    digest = .wordPress
    bcrypt = try PasswordHashFormat.Bcrypt(String(text.dropFirst(3)), fields.dropFirst())
  }

  /// - Parameter bcrypt: The bcrypt hash that follows `bcrypt_sha256$`.
  init(django bcrypt: PasswordHashFormat.Bcrypt) {
    digest = .django
    self.bcrypt = bcrypt
  }

  func requireBearableCost() throws(PasswordHashFault) { try bcrypt.requireBearableCost() }

  var escapes: [PasswordEscape] { digest == .wordPress ? [.slashes] : [] }

  var milliseconds: Int { (1 << bcrypt.cost) / 20 }

  /// False for a WordPress hash if the password has white space around it, because WordPress trims that before hashing.
  func seesAll(of password: Password) -> Bool {
    switch digest {
    case .django: true
    case .wordPress: password.withBytes { Self.trimmed($0).count == $0.count }
    }
  }

  /// Trims as PHP's trim() does: space, tab, line feed, carriage return, NUL and vertical tab.
  static func trimmed(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
    let space: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, 0x00, 0x0B]
    let start = bytes.firstIndex { !space.contains($0) } ?? bytes.endIndex
    let end = bytes.lastIndex { !space.contains($0) }.map { $0 + 1 } ?? start
    return bytes[start..<end]
  }
}
