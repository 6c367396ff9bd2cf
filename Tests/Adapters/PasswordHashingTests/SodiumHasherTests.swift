import Glibc
import PasswordHashing
import Registration
import TestKit
import Testing

@Suite("Sodium hasher", .serialized, .timeLimit(.minutes(10)))
struct SodiumHasherTests {
  private func password(_ text: String) -> Password { Password(utf8: Array(text.utf8)) }

  private func with<Value>(
    _ parameters: SodiumHasher.Parameters = .init(workers: 2), _ body: (SodiumHasher) async throws -> Value
  ) async throws -> Value {
    let hasher = try SodiumHasher(parameters)
    defer { hasher.stop() }
    return try await body(hasher)
  }

  @Test("parameters below OWASP's floor are weak, at it they are not")
  func floor() {
    for (memoryKiB, passes) in [(47_104, 1), (19_456, 2), (12_288, 3), (9_216, 4), (7_168, 5), (7_168, 9)] {
      #expect(SodiumHasher.Parameters(memoryKiB: memoryKiB, passes: passes, workers: 1).weakness == nil)
      #expect(SodiumHasher.Parameters(memoryKiB: memoryKiB - 1, passes: passes, workers: 1).weakness != nil)
    }
  }

  @Test("a wrong password is wrong, and so is every password for an address without an account")
  func wrong() async throws {
    try await with { hasher in
      let hash = try await hasher.hash(password("right"))
      for other in ["", "Right", "right ", "wrong"] {
        #expect(try await hasher.verify(password(other), against: hash) == .wrong)
      }
      #expect(try await hasher.verify(password("right"), against: nil) == .wrong)
    }
  }

  @Test("a hash is a salted PHC string of Argon2id with the parameters")
  func phc() async throws {
    try await with { hasher in
      let one = try await hasher.hash(password("right"))
      let other = try await hasher.hash(password("right"))
      #expect(one != other)
      #expect(one.phc.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
      #expect(try await hasher.verify(password("right"), against: one) == .right(isOutdated: false))
    }
  }

  @Test("passwords may be empty, long, and hold a zero")
  func unusual() async throws {
    try await with { hasher in
      for text in ["", "\u{0}", "a\u{0}b", String(repeating: "long ", count: 1000)] {
        let hash = try await hasher.hash(password(text))
        #expect(try await hasher.verify(password(text), against: hash) == .right(isOutdated: false))
        #expect(try await hasher.verify(password(text + "x"), against: hash) == .wrong)
      }
    }
  }

  @Test("a hash of other parameters is right and outdated")
  func outdated() async throws {
    let old = try await with(.init(memoryKiB: 7_168, passes: 5, workers: 1)) { try await $0.hash(password("right")) }
    try await with { (hasher) async throws in
      #expect(try await hasher.verify(password("right"), against: old) == .right(isOutdated: true))
      #expect(try await hasher.verify(password("wrong"), against: old) == .wrong)
    }
  }

  @Test("past the queue it is busy at once, and what was taken is done")
  func busy() async throws {
    try await with(.init(workers: 1, queue: 2)) { hasher in
      let results = await withTaskGroup(of: Result<PasswordHash, HashingFailure>.self) { group in
        for _ in 0..<40 {
          group.addTask {
            do throws(HashingFailure) { return .success(try await hasher.hash(password("x"))) } catch {
              return .failure(error)
            }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let refused = results.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
      #expect(refused.count < 40)
      #expect(!refused.isEmpty)
      #expect(refused.allSatisfy { if case .busy(let seconds) = $0 { seconds >= 1 } else { false } })
      // and when the queue is empty again, it takes more
      _ = try await hasher.hash(password("x"))
    }
  }

  @Test("hashing threads yield to everything else: nice 19, one a worker")
  func niceness() async throws {
    try await with(.init(workers: 3)) { hasher in
      _ = try await hasher.hash(password("x"))
      let nices = threads(named: "regd-hash").map { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t($0)) }
      #expect(nices.count >= 3)
      #expect(nices.allSatisfy { $0 == 19 })
    }
  }

  @Test("a comparison without an account takes the work of one with an account, as its memory shows")
  func sameWork() async throws {
    try await with { hasher in
      let hash = try await hasher.hash(password("right"))
      func faults(_ body: () async throws -> PasswordVerdict) async throws -> Int {
        let before = threads(named: "regd-hash").map(minorFaults).reduce(0, +)
        _ = try await body()
        return threads(named: "regd-hash").map(minorFaults).reduce(0, +) - before
      }
      let wrong = try await faults { try await hasher.verify(password("wrong"), against: hash) }
      let nobody = try await faults { try await hasher.verify(password("wrong"), against: nil) }
      // 19 MiB are 4864 pages, new for every hash
      #expect(wrong >= 4864)
      #expect(nobody >= 4864)
    }
  }

  @Test("a hash that waits when its caller is cancelled is not made")
  func cancelled() async throws {
    try await with(.init(workers: 1)) { hasher in
      let results = await withTaskGroup(of: Result<PasswordHash, HashingFailure>.self) { group in
        for _ in 0..<20 {
          group.addTask {
            do throws(HashingFailure) { return .success(try await hasher.hash(password("x"))) } catch {
              return .failure(error)
            }
          }
        }
        group.cancelAll()
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(results.filter { $0 == .failure(.cancelled) }.count >= 18)
    }
  }

  /// proc(5): field 10 of stat.
  private func minorFaults(_ thread: Int32) -> Int {
    guard let file = fopen("/proc/self/task/\(thread)/stat", "r") else { return 0 }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 1024)
    let count = fread(&line, 1, 1024, file)
    let text = String(decoding: line.prefix(count), as: UTF8.self)
    let fields = text.drop { $0 != ")" }.split(separator: " ")
    return fields.count > 8 ? Int(fields[8]) ?? 0 : 0
  }

  private func threads(named name: String) -> [Int32] {
    guard let directory = opendir("/proc/self/task") else { return [] }
    defer { closedir(directory) }
    var found: [Int32] = []
    while let entry = readdir(directory) {
      let id = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { Int32(String(cString: $0)) }
      }
      guard let id, let file = fopen("/proc/self/task/\(id)/comm", "r") else { continue }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 64)
      guard fgets(&line, 64, file) != nil else { continue }
      if line.prefix(name.utf8.count).elementsEqual(name.utf8.map { CChar($0) }) { found.append(id) }
    }
    return found
  }
}
