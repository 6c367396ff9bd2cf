import CHashingMemory
import CSodium
import Glibc
import Registration
import TestDoubles
import Testing

@testable import PasswordHashing

// Within the other suite, because that suite counts the hashing threads of the process.
extension SodiumHasherTests {
  @Suite(
    "Memory that a hashing thread keeps",
    .enabled(if: hashing_memory_is_built(), "the sanitizers need mmap for themselves, so that nothing is kept"),
    .timeLimit(.minutes(10)))
  struct HashingMemoryTests {
    private static let salt = [UInt8](repeating: 7, count: Int(crypto_pwhash_SALTBYTES))

    private func derive(
      _ password: [UInt8], salt: [UInt8] = HashingMemoryTests.salt, memoryKiB: Int, passes: Int = 1
    ) -> [UInt8]? {
      var tag = [UInt8](repeating: 0, count: 32)
      let failure = crypto_pwhash(
        &tag, 32, password.map { CChar(bitPattern: $0) } + [0], UInt64(password.count), salt, UInt64(passes),
        memoryKiB * 1024, crypto_pwhash_ALG_ARGON2ID13)
      return failure == 0 ? tag : nil
    }

    @Test("memory is overwritten after a hash, before the thread keeps it")
    func wiped() throws {
      let memory = HashingMemory(memoryKiB: 4096, keptFor: .zero)
      defer { hashing_memory_release() }
      #expect(memory.lend { derive([1, 2, 3], memoryKiB: 4096) } != nil)
      let kept = hashing_memory_kept()
      try #require(kept.bytes == 4096 * 1024)
      let left = UnsafeRawBufferPointer(start: kept.start, count: kept.bytes).count { $0 != 0 }
      #expect(left == 0, "of \(kept.bytes) bytes")
    }

    @Test("with kept memory, a hash equals libsodium's hash without kept memory, whatever the parameters")
    func same() throws {
      defer { hashing_memory_release() }
      for _ in 0..<60 {
        let (memoryKiB, passes) = (Int.random(in: 8...4096), Int.random(in: 1...4))
        let passwords = (0..<3).map { _ in (0..<Int.random(in: 0...100)).map { _ in UInt8.random(in: 0...255) } }
        let salt = Self.salt.map { _ in UInt8.random(in: 0...255) }
        let memory = HashingMemory(memoryKiB: memoryKiB, keptFor: .zero)
        hashing_memory_release()
        let before = hashing_memory_kept().reused
        for password in passwords {
          let plain = derive(password, salt: salt, memoryKiB: memoryKiB, passes: passes)
          let kept = memory.lend { derive(password, salt: salt, memoryKiB: memoryKiB, passes: passes) }
          #expect(plain != nil)
          #expect(kept == plain, "m=\(memoryKiB) t=\(passes), password \(password), salt \(salt)")
        }
        #expect(hashing_memory_kept().reused == before + 2, "m=\(memoryKiB): all but the first are served")
      }
    }

    @Test("a thread's first hash maps its memory, and later hashes get no new memory from the kernel")
    func faults() async throws {
      let line = try HashingQueue(
        name: "test-hash", workers: 1, queue: 1, milliseconds: 10,
        memory: HashingMemory(memoryKiB: 19_456, keptFor: .seconds(3600)))
      var faults: [Int] = []
      for _ in 0..<3 {
        faults.append(
          try await line.run(HashingTurn(.daemon)) {
            let before = faultsOfThisThread()
            _ = derive([1], memoryKiB: 19_456, passes: 2)
            return faultsOfThisThread() - before
          })
      }
      line.stop()
      #expect(faults[0] >= 4864)
      #expect(faults[1] < 50)
      #expect(faults[2] < 50)
    }

    @Test("memory that is not lent, or is not for a hash, is mapped and unmapped as usual")
    func others() throws {
      let bytes = 1 << 20
      let memory = HashingMemory(memoryKiB: 1024, keptFor: .zero)
      defer { hashing_memory_release() }
      func map(_ size: Int, _ protection: Int32 = PROT_READ | PROT_WRITE) -> UnsafeMutableRawPointer? {
        mmap(nil, size, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      }
      // without lending
      munmap(map(bytes), bytes)
      #expect(hashing_memory_kept().bytes == 0)
      memory.lend {
        // other sizes, and memory without write access
        munmap(map(bytes + 4096), bytes + 4096)
        munmap(map(bytes, PROT_READ), bytes)
        _ = derive([1], memoryKiB: 2048)
      }
      #expect(hashing_memory_kept().bytes == 0)
      // a thread keeps only one block, and a block that the library does not unmap belongs to the library
      let (first, second) = memory.lend { (map(bytes), map(bytes)) }
      #expect(first != second)
      #expect(hashing_memory_kept().bytes == 0)
      for address in [first, second] {
        address?.storeBytes(of: 1, as: UInt8.self)
        #expect(munmap(address, bytes) == 0)
      }
      #expect(hashing_memory_kept().bytes == 0)
    }

    /// In a separate process, so that no other hasher uses its memory.
    @Test("a thread returns its memory when it has no work, and when it ends")
    func returned() async {
      #expect(SodiumHasher.memoryIsKept < .seconds(1))
      await #expect(processExitsWith: .success) {
        let (memoryKiB, most) = (65_536, 32_768)
        let password = Password(utf8: [1])
        let parameters = SodiumHasher.Parameters(memoryKiB: memoryKiB, passes: 1, workers: 1)
        let keeping = try SodiumHasher(parameters, memoryIsKept: .seconds(3600))
        let before = residentKiB()
        _ = try await keeping.hash(password)
        #expect(residentKiB() - before > most)
        keeping.stop()
        #expect(residentKiB() - before < most)

        let returning = try SodiumHasher(parameters, memoryIsKept: .milliseconds(1))
        for _ in 0..<3 {
          let hash = try await returning.hash(password)
          let patience = ContinuousClock.now + .seconds(300)
          while residentKiB() - before > most, .now < patience { await Task.yield() }
          #expect(residentKiB() - before <= most, "the thread keeps its memory")
          #expect(try await returning.verify(password, against: hash) == .right(isOutdated: false))
        }
        returning.stop()
      }
    }

    /// In a separate process, so that all hashing threads belong to this hasher.
    @Test("regd's hasher keeps memory for hashes and comparisons, even for an address without an account")
    func hasher() async {
      await #expect(processExitsWith: .success) {
        let hasher = try SodiumHasher(.init(workers: 1), memoryIsKept: .seconds(3600))
        let hash = try await hasher.hash(Password(utf8: [1]))
        func faults() -> Int { threads(named: "regd-hash").map(minorFaults).reduce(0, +) }
        let before = faults()
        #expect(try await hasher.hash(Password(utf8: [1])) != hash)
        #expect(try await hasher.verify(Password(utf8: [1]), against: hash) == .right(isOutdated: false))
        #expect(try await hasher.verify(Password(utf8: [2]), against: hash) == .wrong)
        #expect(try await hasher.verify(Password(utf8: [2]), against: nil) == .wrong)
        #expect(faults() - before < 4 * 50)
        hasher.stop()
      }
    }
  }
}

private func residentKiB() -> Int {
  // proc(5): field 2 of statm, in pages
  guard let file = fopen("/proc/self/statm", "r") else { fatalError("there is no /proc") }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  guard fgets(&line, 128, file) != nil else { fatalError("statm is empty") }
  let fields = line.prefix { $0 != 0 }.split(separator: 32)
  return fields[1].reduce(0) { $0 * 10 + Int($1 - 48) } * sysconf(Int32(_SC_PAGESIZE)) / 1024
}

private func faultsOfThisThread() -> Int {
  var usage = rusage()
  // RUSAGE_THREAD, which <sys/resource.h> defines only with _GNU_SOURCE
  getrusage(__rusage_who_t(1), &usage)
  return usage.ru_minflt
}
