import Glibc
import PasswordHashing
import Registration
import TestDoubles
import Testing

// Within the other suite, because that suite counts the hashing threads of the process.
extension SodiumHasherTests {
  @Suite("Hashes from elsewhere", .timeLimit(.minutes(10)))
  struct ForeignHashTests {
    static let all = Vectors.argon2id + Vectors.bcrypt + Vectors.scrypt

    private func verify(
      _ text: String, _ phc: String,
      _ parameters: SodiumHasher.Parameters = .init(memoryKiB: 1024, passes: 1, workers: 1)
    ) async throws -> PasswordVerdict {
      let hasher = try SodiumHasher(parameters)
      defer { hasher.stop() }
      return try await hasher.verify(Password(utf8: Array(text.utf8)), against: PasswordHash(phc: phc))
    }

    @Test("the correct password matches, and a hash that covers all of it is outdated", arguments: all.indices)
    func right(_ index: Int) async throws {
      let (password, phc) = Self.all[index]
      #expect(try PasswordHashFormat().check(phc).get().phc == phc)
      // bcrypt ignores everything after 72 bytes, so that part may contain a typo
      let isSeen = !phc.hasPrefix("$2") || password.utf8.count <= 72
      #expect(try await verify(password, phc) == .right(isOutdated: isSeen))
    }

    @Test("another password is wrong", arguments: all.indices)
    func wrong(_ index: Int) async throws {
      let (password, phc) = Self.all[index]
      for other in ["x" + password, "wrong", password.isEmpty ? " " : ""] {
        #expect(try await verify(other, phc) == .wrong)
      }
      // bcrypt ignores everything after 72 bytes, which has a separate test
      if !phc.hasPrefix("$2") || password.utf8.count < 72 {
        #expect(try await verify(password + "x", phc) == .wrong)
        #expect(try await verify(password + "\u{0}", phc) == .wrong)
        #expect(try await verify(password + "\u{0}x", phc) == .wrong)
      }
    }

    @Test("the correct password is wrong for a hash with a changed bit in its salt or value", arguments: all.indices)
    func otherBytes(_ index: Int) async throws {
      let (password, phc) = Self.all[index]
      let dollars = phc.indices.filter { phc[$0] == "$" }
      let last = try #require(dollars.last)
      // bcrypt has salt and value in one part. The others have the salt before the last dollar.
      let isBcrypt = phc.hasPrefix("$2")
      let ofSalt = phc.index(after: isBcrypt ? last : dollars[dollars.count - 2])
      let ofValue = phc.index(last, offsetBy: isBcrypt ? 23 : 1)
      // the last character keeps its left-over bits at zero, so that the hash remains well-formed
      let (zero, sixteen) = isBcrypt ? (".", "O") : ("A", "Q")
      for place in [ofSalt, ofValue, phc.index(before: phc.endIndex)] {
        var other = phc
        other.replaceSubrange(place...place, with: String(phc[place]) == zero ? sixteen : zero)
        #expect(try await verify(password, other) == .wrong)
      }
    }

    @Test("bcrypt compares exactly the first 72 bytes of a password")
    func truncated() async throws {
      let hashes = Vectors.bcrypt.filter { $0.password.utf8.count >= 72 }
      #expect(hashes.count == 3)
      for (_, phc) in hashes {
        for right in [
          Vectors.cut, Vectors.long, Vectors.cut + "x", Vectors.cut + String(repeating: "long ", count: 200),
        ] {
          // a hash by regd would also cover the end, and lock out a user who types another end
          #expect(try await verify(right, phc) == .right(isOutdated: right.utf8.count <= 72))
        }
        for wrong in [String(Vectors.cut.dropLast()), Vectors.cut.dropLast() + "x", Vectors.long + "\u{0}"] {
          #expect(try await verify(wrong, phc) == .wrong)
        }
      }
    }

    @Test(
      "a hash is outdated unless regd would make it with the same parameters today",
      arguments: [
        // memory and passes of the parameters, the index of the vector, whether it is outdated, and the difference
        (64, 2, 0, false),  // nothing
        (65, 2, 0, true), (64, 3, 0, true),  // memory, passes
        (32, 1, 1, true), (32, 1, 2, true),  // salts of 8 and 32 bytes
        (64, 3, 3, true),  // lanes
        (8, 1, 6, true), (8, 1, 7, true),  // values of 16 and 64 bytes
      ])
    func outdated(memoryKiB: Int, passes: Int, index: Int, isOutdated: Bool) async throws {
      let (password, phc) = Vectors.argon2id[index]
      let parameters = SodiumHasher.Parameters(memoryKiB: memoryKiB, passes: passes, workers: 1)
      #expect(try await verify(password, phc, parameters) == .right(isOutdated: isOutdated))
    }

    @Test("an unreadable hash fails as such, and makes no password wrong")
    func unreadable() async throws {
      for (phc, reason) in [
        ("", PasswordHashProblem.Reason.missing), ("no hash", .malformed), ("$1$salt$hash", .unsupported),
        (String(Vectors.argon2id[0].phc.dropLast()), .malformed),
        ("$2b$31\(Vectors.bcrypt[0].phc.dropFirst(6))", .tooCostly),
      ] {
        do {
          let verdict = try await verify("made-up one", phc)
          Issue.record("\(phc) is a hash: \(verdict)")
        } catch HashingFailure.unreadableHash(let problem) {
          #expect(problem.reason == reason)
        }
      }
    }

    /// In a separate process, because the limit applies to the whole process.
    @Test("without memory a comparison fails as unavailable, never as wrong, and a thread with kept memory still works")
    func starved() async {
      await #expect(processExitsWith: .success) {
        let hasher = try SodiumHasher(.init(workers: 1), memoryIsKept: nil)
        // a hasher that never had memory, and a hasher that kept its memory
        let cold = try SodiumHasher(.init(workers: 1), memoryIsKept: .seconds(3600))
        let warm = try SodiumHasher(.init(workers: 1), memoryIsKept: .seconds(3600))
        let right = Password(utf8: Array(Vectors.starving.utf8))
        let wrong = Password(utf8: Array("wrong".utf8))
        let own = try await hasher.hash(right)
        let foreign = [
          Vectors.costlyArgon2id, Vectors.costlyScrypt, Vectors.costlyArgon2i, Vectors.costlyYescrypt,
        ].map(PasswordHash.init)
        // each runs once with memory, so that everything else that it needs is loaded
        #expect(try await hasher.verify(right, against: own) == .right(isOutdated: false))
        for hash in foreign { #expect(try await hasher.verify(right, against: hash) == .right(isOutdated: true)) }
        #expect(try await warm.verify(wrong, against: own) == .wrong)

        let unlimited = limitMemory(toMoreThanNow: 4 << 20)
        for hash in [own, nil] + foreign {
          for password in [right, wrong] {
            await #expect(throws: HashingFailure.unavailable) { try await hasher.verify(password, against: hash) }
          }
        }
        for hasher in [hasher, cold] {
          await #expect(throws: HashingFailure.unavailable) { try await hasher.hash(right) }
        }
        #expect(try await warm.verify(right, against: own) == .right(isOutdated: false))
        #expect(throws: SodiumHasher.StartFailure.libraryFailed) { try SodiumHasher(.init(workers: 1)) }

        setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), [unlimited])
        for hasher in [hasher, cold] {
          #expect(try await hasher.verify(right, against: own) == .right(isOutdated: false))
        }
        for hash in foreign { #expect(try await hasher.verify(wrong, against: hash) == .wrong) }
      }
    }
  }
}

/// Limits this process to its current address space plus `bytes`.
///
/// - Returns: The previous limit.
private func limitMemory(toMoreThanNow bytes: Int) -> rlimit {
  var old = rlimit()
  getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &old)
  // proc(5): field 1 of statm, in pages
  var line = [CChar](repeating: 0, count: 128)
  guard let file = fopen("/proc/self/statm", "r") else { fatalError("there is no /proc") }
  defer { fclose(file) }
  guard fgets(&line, 128, file) != nil else { fatalError("statm is empty") }
  var new = old
  new.rlim_cur = rlim_t(strtol(line, nil, 10) * sysconf(Int32(_SC_PAGESIZE)) + bytes)
  guard setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &new) == 0 else { fatalError("the limit is not taken") }
  return old
}
