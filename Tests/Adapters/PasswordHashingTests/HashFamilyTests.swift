import Registration
import TestDoubles
import Testing

@testable import AccountImport
@testable import PasswordHashing

/// Tests that the separate table by which `regctl import` names hashes agrees with the hashes that regd accepts.
@Suite("Families of hashes in imports")
struct HashFamilyTests {
  private static let plain = Vectors.argon2id + Vectors.bcrypt + Vectors.scrypt + Vectors.elsewhere + [Vectors.firebase]

  /// Spellings that no other test verifies.
  private static let spellings = [
    "$pbkdf2-sha1$1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA", "{PBKDF2-SHA1}1$AAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAA",
  ]

  /// Each example, alone and after the prefix of every other system. Most of the combinations are not valid hashes.
  private static let examples: [String] = (plain.map(\.phc) + spellings).flatMap { text in
    ["", "{CRYPT}", "{argon2}", "argon2", "bcrypt$", "bcrypt_sha256$"].map { $0 + text }
  }

  private static let keys = ForeignKeys(firebase: Vectors.firebaseKey)

  private static func check(_ text: String) throws -> Result<PasswordHash, PasswordHashProblem> {
    PasswordHashFormat(keys: try #require(keys)).check(text)
  }

  private static func isTaken(_ text: String) throws -> Bool {
    guard case .success = try check(text) else { return false }
    return true
  }

  /// - Returns: Nil for a scheme that this test does not know yet.
  private static func family(of scheme: PasswordHashFormat.Scheme) -> String? {
    switch scheme {
    case .argon2id: "argon2id"
    case .bcrypt: "bcrypt"
    case .scrypt: "scrypt"
    case .foreign(let hash): family(of: hash)
    }
  }

  private static func family(of hash: any ForeignHash) -> String? {
    switch hash {
    case is Argon2iHash: "argon2i"
    case let hash as CryptHash: crypt[hash.text.dropFirst().prefix(1)]
    case is FirebaseHash: "firebase-scrypt"
    case let hash as PBKDF2Hash: "pbkdf2-\(hash.digest)"
    case is PhpassHash: "phpass"
    case let hash as PrehashedBcrypt: hash.digest == .django ? "bcrypt-sha256" : "bcrypt-hmac-sha384"
    case let hash as SaltedDigestHash: salted[hash.digest]
    default: nil
    }
  }

  private static let crypt: [Substring: String] = ["5": "sha256-crypt", "6": "sha512-crypt", "y": "yescrypt"]
  private static let salted: [DigestKind: String] = [
    .sha1: "salted SHA-1", .sha256: "salted SHA-256", .sha512: "salted SHA-512",
  ]

  @Test(
    "a hash that regd accepts has the name of its scheme, and an unsupported hash has no name",
    arguments: examples.indices)
  func names(_ index: Int) throws {
    let text = Self.examples[index]
    switch try Self.check(text) {
    case .success(let hash):
      let scheme = try PasswordHashFormat.read(hash, #require(Self.keys)).get()
      let family = try #require(Self.family(of: scheme), "\(text)")
      #expect(HashFamily.name(text) == family, "\(text)")
      #expect(HashFamily.tooFast(text) == nil, "\(text)")
    case .failure(let problem):
      #expect(problem.reason == .unsupported, "\(text)")
      #expect(HashFamily.name(text) == nil, "\(text)")
    }
  }

  @Test(
    "a hash that regd refuses because of its scheme has no name", arguments: ElsewhereFormatTests.unknown.map(\.text))
  func unknown(_ text: String) { #expect(HashFamily.name(text) == nil) }

  @Test("every scheme name that regd reads has an example")
  func readNames() throws {
    typealias Spelling = PasswordHashSpelling
    let keys = [Spelling.modular.keys, Spelling.django.keys, Spelling.directory.keys].flatMap { Array($0) }
    let names = Set((keys + Spelling.wrapped.keys).map { $0.lowercased() })
    #expect(names.count > 25)
    let examples = try Self.examples.filter(Self.isTaken).map { $0.lowercased() }
    for name in names {
      let forms = name.hasPrefix("{") ? [name] : ["$\(name)$", "\(name)$"]
      #expect(examples.contains { example in forms.contains(where: example.hasPrefix) }, "\(name)")
    }
  }

  @Test("every prefix that identifies a family is the prefix of a hash that regd accepts")
  func tables() throws {
    typealias Spelling = PasswordHashSpelling
    let wrapped = Spelling.wrapped.flatMap { name, schemes in
      Spelling.modular.filter { schemes.contains($0.value) }.map { inner, _ in
        name + (name.hasPrefix("{") || name == "argon2" ? "" : "$") + "$\(inner)$"
      }
    }
    let beginnings =
      Spelling.modular.keys.map { "$\($0)$" } + Spelling.django.keys.map { "\($0)$" } + Spelling.directory.keys
      + wrapped
    let examples = try Self.examples.filter(Self.isTaken)
    for beginning in beginnings {
      #expect(examples.contains { $0.lowercased().hasPrefix(beginning.lowercased()) }, "\(beginning)")
    }
  }
}
