import Registration
import TestDoubles
import Testing

@testable import PasswordHashing

// Within the other suite, because that suite counts the hashing threads of the process.
extension SodiumHasherTests {
  /// Hashes that another system made from something other than the password in NFC. They were made with Python's crypt,
  /// hashlib and hmac from the text as escaped by the source code of WordPress and phpBB.
  @Suite("Passwords that other systems change before hashing", .timeLimit(.minutes(10)))
  struct PasswordFormTests {
    private static let quoted = #"it's "made" \ up"#
    private static let marked = #"made & <up> "one""#
    private static let decomposed = "scho\u{308}nes Wo\u{308}rtchen"
    private static let composed = "sch\u{F6}nes W\u{F6}rtchen"

    /// Typed passwords and hashes.
    static let right: [(typed: String, hash: String)] = [
      // WordPress before and since 6.8, and with a plug-in for bcrypt
      (quoted, "$P$5IQRaTwmfzyX/Flnls8SYbVSMtqCJ50"),
      (quoted, "$wp$2y$04$abcdefghijklmnopqrstuunSKXUYEFi/IVrjAxvL0uNT.JEZFivFi"),
      (quoted, "$2y$04$abcdefghijklmnopqrstuuylsoYrs6NTUI3yXqgqXYkoMjT7TcdLu"),
      // WordPress with the filter wp_hash_password_algorithm (made by PHP 8.2)
      (quoted, "$argon2id$v=19$m=64,t=1,p=1$RjBJSkxVMjRjQjRvaVB5ZQ$4gutKPQ1jWaiYdrA91mcWg02XoBiNoxDfz5V43xyUk0"),
      (quoted, "$argon2i$v=19$m=64,t=1,p=1$ZkJQVzlJeHFiQzZNekJLdw$3h4yYUnc39NaNXziPP4PvINjKOKWvIK7rNOVJj5KqTk"),
      // phpBB 3.0, 3.1 and 3.3
      (marked, "$H$5IQRaTwmfHAP3kURd.YugrWJSujLuE/"),
      (marked, "$2y$04$abcdefghijklmnopqrstuufXNCeWAE3PlWJphat2ZLru4bshNIei."),
      (
        marked, "$argon2id$v=19$m=64,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$XWZLOcWrXm5nQxmmVilp8ZMFVlvnOoTq3/ftecEVDQ4"
      ),
      // systems that do not normalize
      (decomposed, "$2b$04$abcdefghijklmnopqrstuuwasAAq24f/./PSN2AsicHsT4KDI9O/S"),
      (decomposed, "$P$5IQRaTwmfP3DtWaIxrSYiVFma.ynRH1"),
      (decomposed, "pbkdf2_sha256$1000$saltsalt$BfF2s4rz1E8fEz2XFFb4yky2lQk8TeM4K0D+fDZD4cM="),
    ]

    private func password(_ typed: String) -> Password {
      var composed = String.UnicodeScalarView()
      for scalar in typed.unicodeScalars {
        if scalar == "\u{308}", composed.last == "o" {
          composed.removeLast()
          composed.append("\u{F6}")
        } else {
          composed.append(scalar)
        }
      }
      let isSame = composed.count == typed.unicodeScalars.count
      return Password(utf8: Array(String(composed).utf8), typed: isSame ? nil : Fixtures.password(typed))
    }

    private func verify(_ typed: String, _ hash: String) async throws -> PasswordVerdict {
      let hasher = try SodiumHasher(.init(memoryKiB: 1024, passes: 1, workers: 1))
      defer { hasher.stop() }
      return try await hasher.verify(password(typed), against: PasswordHash(phc: hash), HashingTurn(.daemon))
    }

    @Test("a password of the other system matches, and its hash is renewed", arguments: right.indices)
    func fits(_ index: Int) async throws {
      let (typed, hash) = Self.right[index]
      #expect(try await verify(typed, hash) == .right(isOutdated: true))
      #expect(try await verify("x" + typed, hash) == .wrong)
      #expect(try await verify(String(typed.dropLast()), hash) == .wrong)
    }

    @Test("a password without special characters has one form, and a hash only the forms of its possible systems")
    func counts() throws {
      func count(_ typed: String, _ hash: String) throws -> Int {
        try PasswordHashFormat.read(PasswordHash(phc: hash)).get().forms(of: password(typed)).count
      }
      for (_, hash) in Self.right { #expect(try count("made-up one", hash) == 1, "\(hash)") }
      let (wordPress, bcrypt, argon2, phpBB) = (
        Self.right[1].hash, Self.right[2].hash, Self.right[3].hash, Self.right[5].hash
      )
      #expect(try count(Self.quoted, wordPress) == 2)
      #expect(try count(Self.quoted, phpBB) == 2)
      #expect(try count(Self.quoted, bcrypt) == 3)
      #expect(try count(Self.quoted, argon2) == 3)
      #expect(try count("it's", phpBB) == 1)
      #expect(try count("a & b", wordPress) == 1)
      #expect(try count(Self.decomposed, bcrypt) == 2)
      // Devise, a directory, Django
      #expect(try count(Self.quoted, "$2a$04$abcdefghijklmnopqrstuuylsoYrs6NTUI3yXqgqXYkoMjT7TcdLu") == 1)
      #expect(try count(Self.marked, Self.right[10].hash) == 1)
    }

    @Test("a hash with regd's parameters matches the password in NFC or as typed, and is renewed if as typed")
    func own() async throws {
      let hasher = try SodiumHasher(.init(memoryKiB: 1024, passes: 1, workers: 1))
      defer { hasher.stop() }
      let hash = try await hasher.hash(Fixtures.password(Self.decomposed), HashingTurn(.daemon))
      #expect(
        try await hasher.verify(password(Self.decomposed), against: hash, HashingTurn(.daemon))
          == .right(isOutdated: true))
      #expect(try await hasher.verify(password("x" + Self.decomposed), against: hash, HashingTurn(.daemon)) == .wrong)
      let right = try await hasher.hash(password(Self.decomposed), HashingTurn(.daemon))
      #expect(
        try await hasher.verify(password(Self.composed), against: right, HashingTurn(.daemon))
          == .right(isOutdated: false))
    }

    @Test("white space that WordPress trims is ignored, and after such a match the hash is not renewed")
    func trimmed() async throws {
      let hash = "$P$5IQRaTwmfswMRX891jqZ7YdlOVYevw0"
      #expect(try await verify("made-up one", hash) == .right(isOutdated: true))
      #expect(try await verify(" made-up one\t", hash) == .right(isOutdated: false))
      #expect(try await verify("made-up  one", hash) == .wrong)
    }

    @Test("more lanes than processors are accepted, because memory and passes limit the cost")
    func lanes() async throws {
      let hash = "$argon2id$v=19$m=1024,t=1,p=32$MDEyMzQ1Njc4OWFiY2RlZg$CP1eCw35PyZyKOGP1DxcV63ylUqV4CxunCNnyLLn3J8"
      #expect(try PasswordHashFormat().check(hash).get().phc == hash)
      #expect(try await verify("made-up one", hash) == .right(isOutdated: true))
      #expect(try await verify("made-up two", hash) == .wrong)
      let most = "$argon2id$v=19$m=262144,t=4,p=32768$\(hash.split(separator: "$").suffix(2).joined(separator: "$"))"
      #expect(try PasswordHashFormat().check(most).get().phc == most)
    }
  }
}
