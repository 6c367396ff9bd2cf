import Registration
import TestDoubles
import Testing

@testable import PasswordHashing

// Within the other suite, because that suite counts the hashing threads of the process.
extension SodiumHasherTests {
  @Suite("Hashes of other systems' schemes", .timeLimit(.minutes(10)))
  struct ElsewhereTests {
    static let all = Vectors.elsewhere

    private func compare(_ password: String, _ text: String, _ keys: ForeignKeys = ForeignKeys()) throws -> Comparison {
      try PasswordHashFormat.read(PasswordHash(phc: text), keys).get().compare(with: Fixtures.password(password), keys)
    }

    @Test("another password does not match", arguments: all.indices)
    func wrong(_ index: Int) throws {
      let (password, text) = Self.all[index]
      for other in ["x" + password, "wrong", password.isEmpty ? "x" : "", String(password.dropLast()) + "\u{1}"] {
        #expect(try compare(other, text) == .other, "\(other)")
      }
      // only bcrypt ignores everything after 72 bytes
      if !(text.contains("$2b$") && password.utf8.count >= 72) || text.hasPrefix("bcrypt_sha256") {
        #expect(try compare(password + "x", text) == .other)
      }
      // WordPress trims NUL bytes like white space
      guard !text.hasPrefix("$wp") else { return }
      #expect(try compare(password + "\u{0}", text) == .other)
      #expect(try compare(password + "\u{0}x", text) == .other)
    }

    @Test("the correct password matches", arguments: all.indices)
    func right(_ index: Int) throws {
      let (password, text) = Self.all[index]
      #expect(try PasswordHashFormat().check(text).get().phc == text)
      #expect(try compare(password, text) == .same)
    }

    @Test("a hash with a changed letter is invalid or does not match the password", arguments: all.indices)
    func otherBytes(_ index: Int) throws {
      let (password, text) = Self.all[index]
      // the part before salt and value controls the computation, and a change may cost more
      guard let start = Self.startOfSalt(text) else { return }
      for place in text.indices[start...] where text[place].isLetter {
        var other = text
        other.replaceSubrange(place...place, with: text[place] == "A" ? "B" : "A")
        guard case .success(let hash) = PasswordHashFormat().check(other) else { continue }
        #expect(try compare(password, hash.phc) == .other, "\(other)")
      }
    }

    private static func startOfSalt(_ text: String) -> String.Index? {
      if text.uppercased().hasPrefix("{SSHA") { return text.firstIndex(of: "}") }
      if text.hasPrefix("$P$") || text.hasPrefix("$H$") { return text.index(text.startIndex, offsetBy: 4) }
      if text.hasPrefix("scrypt$") { return text.firstRange(of: "saltOfDjango")?.upperBound }
      let dollars = text.indices.filter { text[$0] == "$" }
      let isInOne = ["$wp", "bcrypt", "{crypt}$2"].contains { text.hasPrefix($0) }
      return dollars.dropLast(isInOne ? 0 : 1).last
    }

    @Test("a sign-in renews a hash that covers the whole password, and no other hash")
    func renewed() async throws {
      let hasher = try SodiumHasher(.init(memoryKiB: 1024, passes: 1, workers: 1))
      defer { hasher.stop() }
      func verdict(_ password: String, _ text: String) async throws -> PasswordVerdict {
        try await hasher.verify(Fixtures.password(password), against: PasswordHash(phc: text))
      }
      for (password, text) in Self.all {
        let isWhole = !text.contains("$2b$") || text.hasPrefix("bcrypt_sha256") || password.utf8.count <= 72
        #expect(try await verdict(password, text) == .right(isOutdated: isWhole), "\(text)")
      }
      // bcrypt hashes of Django (without a digest) and of a directory, for a password that bcrypt cuts off
      let cut = try #require(Vectors.bcrypt.first { $0.password == Vectors.long && $0.phc.hasPrefix("$2b$") })
      for text in ["bcrypt$\(cut.phc)", "{CRYPT}\(cut.phc)"] {
        #expect(try await verdict(Vectors.long, text) == .right(isOutdated: false))
        #expect(try await verdict(Vectors.cut + "another end", text) == .right(isOutdated: false))
        #expect(try await verdict(Vectors.cut, text) == .right(isOutdated: true))
      }
      let wordPress = try #require(Vectors.prehashed.first { $0.phc.hasPrefix("$wp") })
      for spaced in [" " + wordPress.password, wordPress.password + "\n", "\t\u{B}" + wordPress.password + "\r\u{0} "] {
        #expect(try await verdict(spaced, wordPress.phc) == .right(isOutdated: false))
      }
      // PHP's trim() removes no other white space
      #expect(try await verdict("\u{C}" + wordPress.password, wordPress.phc) == .wrong)
      #expect(try await verdict(wordPress.password + "\u{A0}", wordPress.phc) == .wrong)
    }

    @Test("a password longer than a scheme accepts is wrong, even if its beginning is correct")
    func tooLong() throws {
      // made by the description of each scheme from 511 and 4096 bytes "x"
      let (crypt, phpass) = Vectors.longest
      #expect(try compare(String(repeating: "x", count: 511), crypt) == .same)
      #expect(try compare(String(repeating: "x", count: 512), crypt) == .other)
      #expect(try compare(String(repeating: "x", count: 4096), phpass) == .same)
      #expect(try compare(String(repeating: "x", count: 4097), phpass) == .other)
    }

    @Test("Firebase's hashes are verified with the project's key, and refused without one")
    func firebase() throws {
      let (password, text) = Vectors.firebase
      func problem(_ keys: ForeignKeys) -> PasswordHashProblem? {
        guard case .failure(let problem) = PasswordHashFormat(keys: keys).check(text) else { return nil }
        return problem
      }
      #expect(problem(ForeignKeys())?.reason == .unsupported)
      #expect(problem(ForeignKeys())?.message.contains("need hashing.firebaseKey in") == true)
      #expect(throws: PasswordHashProblem.self) { try compare(password, text) }
      let short = try #require(ForeignKeys(firebase: "AAECAwQFBgcICQoLDA0ODw=="))
      #expect(problem(short)?.reason == .malformed)
      #expect(problem(short)?.message.contains("16 bytes long, the same length as hashing.firebaseKey") == true)
      #expect(throws: PasswordHashProblem.self) { try compare(password, text, short) }
      let keys = try #require(ForeignKeys(firebase: Vectors.firebaseKey))
      #expect(try PasswordHashFormat(keys: keys).check(text).get().phc == text)
      for other in ["", "x" + password, password + "x", password + "\u{0}", password + "\u{0}x"] {
        #expect(try compare(other, text, keys) == .other)
      }
      let anothers = try #require(ForeignKeys(firebase: "A" + Vectors.firebaseKey.dropFirst()))
      #expect(try compare(password, text, anothers) == .other)
      #expect(try compare(password, text, keys) == .same)
      for (part, another) in [("Bw==", "Bg=="), ("42xEC+", "42xEC/"), ("lSrfV15", "lSrfV16"), ("n=14", "n=13")] {
        let other = text.replacing(part, with: another)
        #expect(try compare(password, other, keys) == .other, "\(other)")
      }
      #expect("\(keys)" == "(keys)")
    }

    @Test(
      "ForeignKeys refuses an invalid key",
      arguments: ["", "AAAA", "key", Vectors.firebaseKey + "\n", "AAECAwQFBgcICQoLDA0ODw"])
    func key(_ text: String) {
      #expect(ForeignKeys(firebase: text) == nil)
    }
  }
}
