internal import SecureMemory
import Synchronization

/// A password as the person typed it, in NFC (NIST SP 800-63B §5.1.1.2 requires a stable form before hashing). Keeps the
/// typed form as well if NFC changes it, because another system may have hashed that form.
///
/// The bytes are wiped when the last reference to the object is released. The type has no description, so that no log
/// line can show a password.
package final class Password: Sendable {
  private let bytes: Mutex<[UInt8]>
  /// The typed form, or nil if it is the same. Another system may have made an imported hash of it.
  package let typed: Password?

  /// - Parameters:
  ///   - utf8: The password in NFC, in UTF-8. The object takes over this array, and wipes it when it is released.
  ///   - typed: The typed form, if NFC changes it.
  package init(utf8: consuming [UInt8], typed: Password? = nil) {
    bytes = Mutex(utf8)
    self.typed = typed
  }

  /// Normalizes a typed password.
  package convenience init(typed: UnsafeRawBufferPointer, _ normalizer: any TextNormalizer) {
    let composed = normalizer.composed(typed)
    self.init(
      utf8: composed, typed: composed.elementsEqual(typed) ? nil : Password(utf8: Array(typed)))
  }

  deinit {
    bytes.withLock { bytes in
      bytes.withUnsafeMutableBytes { wipe($0) }
    }
  }

  /// Lends the bytes for the duration of `body`, which must not keep a copy.
  package func withBytes<Result: Sendable>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withLock { bytes in bytes.withUnsafeBytes(body) }
  }

  package var isEmpty: Bool { withBytes { $0.isEmpty } }

  /// The number of Unicode code points, the unit for lengths of passwords (NIST SP 800-63B §5.1.1.2).
  package var codePointCount: Int {
    withBytes { bytes in bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }
  }

  /// A hash of all that a comparison with a password hash depends on: the NFC form, and the typed form if it differs.
  func print(_ hash: SipHash, after bits: UInt64) -> UInt64 {
    let ofComposed = withBytes { hash.hash($0, after: bits) }
    return typed.map { $0.withBytes { hash.hash($0, after: ofComposed) } } ?? ofComposed
  }

  /// Whether every comparison of both with a password hash has the same result. Takes no constant time, as `isSame`.
  func isCompared(as other: Password) -> Bool {
    guard isSame(as: other) else { return false }
    guard let typed, let others = other.typed else { return typed == nil && other.typed == nil }
    return typed.isSame(as: others)
  }

  /// Whether both have the same characters. The comparison does not take constant time, so both must come from the same caller.
  package func isSame(as other: Password) -> Bool {
    if self === other { return true }
    return withBytes { mine in other.withBytes { mine.elementsEqual($0) } }
  }
}

/// A hashed password as a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. A hash from elsewhere may have another scheme. A
/// `PasswordHashReader` decides which ones are accepted.
///
/// The hash is a secret too: no result, log line or error shows it.
package struct PasswordHash: Hashable, Sendable, CustomStringConvertible {
  package let phc: String

  package init(phc: String) { self.phc = phc }

  /// Stands for a missing password: no password is right until the account gets one.
  package static let none = PasswordHash(phc: "*")

  package var description: String { "(password hash)" }
}

/// A scheme of password hashes that regd verifies. The raw value is its name in summaries.
package enum PasswordHashScheme: String, Sendable {
  case argon2id, argon2i, bcrypt, scrypt, yescrypt, phpass
  /// Django's bcrypt of a SHA-256. `bcryptSHA384` is WordPress's bcrypt of an HMAC-SHA-384.
  case bcryptSHA256 = "bcrypt-sha256"
  case bcryptSHA384 = "bcrypt-hmac-sha384"
  case firebase = "firebase-scrypt"
  case sha256Crypt = "sha256-crypt"
  case sha512Crypt = "sha512-crypt"
  case pbkdf2SHA1 = "pbkdf2-sha1"
  case pbkdf2SHA256 = "pbkdf2-sha256"
  case pbkdf2SHA512 = "pbkdf2-sha512"
  case saltedSHA1 = "salted SHA-1"
  case saltedSHA256 = "salted SHA-256"
  case saltedSHA512 = "salted SHA-512"
}

/// A hash as it is written, with the name at its beginning that determines the scheme.
package struct PasswordHashSpelling: Sendable {
  package enum Form: Sendable {
    /// `$name$…`, the form of crypt(3) and of the PHC string format.
    case modular
    /// `name$…`, the form of Django. Django also puts its name for a scheme before a hash of another form.
    case django
    /// `{NAME}…`, the form of LDAP directories (RFC 2307 section 5.3), which ignore the name's case.
    case directory
  }

  package let form: Form
  /// The name as it is written.
  package let name: String
  package let text: String
  /// Everything after the name.
  package let rest: Substring

  /// - Returns: Nil for a text without a name.
  package init?(_ text: String) {
    self.text = text
    let bytes = text.utf8
    let isNamed = ["{", "$"].contains(text.unicodeScalars.first)
    let begin = isNamed ? bytes.index(after: bytes.startIndex) : bytes.startIndex
    form = text.utf8.first == UInt8(ascii: "{") ? .directory : isNamed ? .modular : .django
    let end = bytes[begin...].firstIndex(of: UInt8(ascii: form == .directory ? "}" : "$"))
    guard let end = end ?? (form == .modular ? bytes.endIndex : nil) else { return nil }
    name = String(text[begin..<end])
    rest = end == bytes.endIndex ? "" : text[bytes.index(after: end)...]
  }

  /// The name as the tables below spell it.
  package var key: String { form == .directory ? "{\(name.uppercased())}" : name }

  /// The scheme, and the hash without the name of a wrapping system, or nil for a scheme that regd does not verify.
  package var known: (scheme: PasswordHashScheme, hash: PasswordHashSpelling)? {
    guard form != .modular, let schemes = Self.wrapped[key] else {
      let names = form == .modular ? Self.modular : form == .django ? Self.django : Self.directory
      return names[key].map { ($0, self) }
    }
    // Django leaves out the first dollar sign of an Argon2 hash
    guard let inner = Self(key == "argon2" ? "$\(rest)" : String(rest)), inner.form == .modular,
      let scheme = Self.modular[inner.name], schemes.contains(scheme)
    else { return nil }
    return (key == "bcrypt_sha256" ? .bcryptSHA256 : scheme, inner)
  }

  package static let modular: [String: PasswordHashScheme] = [
    "argon2id": .argon2id, "argon2i": .argon2i, "2a": .bcrypt, "2b": .bcrypt, "2y": .bcrypt, "wp": .bcryptSHA384,
    "scrypt": .scrypt, "fbscrypt": .firebase, "5": .sha256Crypt, "6": .sha512Crypt, "y": .yescrypt, "P": .phpass,
    "H": .phpass, "pbkdf2": .pbkdf2SHA1, "pbkdf2-sha1": .pbkdf2SHA1, "pbkdf2-sha256": .pbkdf2SHA256,
    "pbkdf2-sha512": .pbkdf2SHA512,
  ]
  package static let django: [String: PasswordHashScheme] = [
    "pbkdf2_sha1": .pbkdf2SHA1, "pbkdf2_sha256": .pbkdf2SHA256, "scrypt": .scrypt,
  ]
  package static let directory: [String: PasswordHashScheme] = [
    "{SSHA}": .saltedSHA1, "{SSHA256}": .saltedSHA256, "{SSHA512}": .saltedSHA512, "{PBKDF2}": .pbkdf2SHA1,
    "{PBKDF2-SHA1}": .pbkdf2SHA1, "{PBKDF2-SHA256}": .pbkdf2SHA256, "{PBKDF2-SHA512}": .pbkdf2SHA512,
    "{PBKDF2_SHA256}": .pbkdf2SHA256,
  ]
  /// The names that wrap a hash of the form `modular`, each with the schemes that such a hash may have.
  package static let wrapped: [String: Set<PasswordHashScheme>] = [
    "argon2": [.argon2id, .argon2i], "bcrypt": [.bcrypt], "bcrypt_sha256": [.bcrypt],
    "{ARGON2}": [.argon2id, .argon2i], "{CRYPT}": [.bcrypt, .sha256Crypt, .sha512Crypt, .yescrypt],
    "{CRYPT-SHA256}": [.sha256Crypt], "{CRYPT-SHA512}": [.sha512Crypt],
  ]
}
