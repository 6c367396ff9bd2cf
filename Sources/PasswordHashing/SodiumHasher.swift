internal import CSodium
package import Registration
internal import Synchronization
internal import WorkerThreads

/// Argon2id (RFC 9106) by Debian's libsodium, on threads of its own beside the event loops.
package final class SodiumHasher: PasswordHasher {
  package struct Parameters: Equatable, Sendable {
    /// Memory of one hash in KiB. OWASP's floor for two passes is 19456.
    package var memoryKiB: Int
    /// Passes over that memory.
    package var passes: Int
    /// Hashes at once.
    package var workers: Int
    /// Hashes that may wait, beyond those at work.
    package var queue: Int

    package init(memoryKiB: Int = 19_456, passes: Int = 2, workers: Int, queue: Int = 256) {
      self.memoryKiB = memoryKiB
      self.passes = passes
      self.workers = workers
      self.queue = queue
    }

    /// What is wrong with memory and passes, or nil: at least as costly as one of the settings that the OWASP Password
    /// Storage Cheat Sheet holds equal (m=47104 t=1, m=19456 t=2, m=12288 t=3, m=9216 t=4, m=7168 t=5).
    package var weakness: String? {
      let floor = [1: 47_104, 2: 19_456, 3: 12_288, 4: 9_216][passes] ?? 7_168
      return memoryKiB >= floor ? nil : "with \(passes) passes, OWASP asks for \(floor) KiB or more"
    }
  }

  package enum StartFailure: Error {
    case libraryFailed
    case threadsFailed(errorNumber: Int32)
  }

  private let parameters: Parameters
  private let threads: WorkerThreads
  /// Hashes submitted and not yet done.
  private let pending = Atomic<Int>(0)
  /// The hash of a password that nobody knows, for callers who ask about nobody.
  private let decoy: PasswordHash

  /// Takes as long as one hash.
  package init(_ parameters: Parameters) throws(StartFailure) {
    guard sodium_init() >= 0 else { throw .libraryFailed }
    self.parameters = parameters
    do {
      threads = try WorkerThreads(name: "regd-hash", count: parameters.workers, niceness: 19)
    } catch {
      throw .threadsFailed(errorNumber: error.errorNumber)
    }
    var secret = [UInt8](repeating: 0, count: 32)
    randombytes_buf(&secret, secret.count)
    guard let decoy = Self.hash(Password(utf8: secret), parameters) else { throw .libraryFailed }
    self.decoy = decoy
  }

  /// Lets the threads finish what waits, and ends them. Nothing may be hashed afterwards.
  package func stop() { threads.stop() }

  package func hash(_ password: Password) async throws(HashingFailure) -> PasswordHash {
    let parameters = parameters
    guard let hash = try await run({ Self.hash(password, parameters) }) else { throw .unavailable }
    return hash
  }

  package func verify(
    _ password: Password, against hash: PasswordHash?
  ) async throws(HashingFailure) -> PasswordVerdict {
    let (parameters, decoy) = (parameters, decoy)
    return try await run {
      let isRight = Self.verify(password, hash ?? decoy)
      guard isRight, let hash else { return .wrong }
      return .right(isOutdated: Self.isOutdated(hash, parameters))
    }
  }

  private func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async throws(HashingFailure) -> Result {
    let ahead = pending.wrappingAdd(1, ordering: .relaxed).oldValue
    defer { pending.wrappingSubtract(1, ordering: .relaxed) }
    guard ahead < parameters.workers + parameters.queue else {
      throw .busy(retryAfterSeconds: secondsToWork(off: ahead))
    }
    let isCancelled = Flag()
    let result: Result? = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        threads.submit { continuation.resume(returning: isCancelled.isUp ? nil : work()) }
      }
    } onCancel: {
      isCancelled.raise()
    }
    guard let result else { throw .cancelled }
    return result
  }

  /// Says to a hash that waits that nobody wants it any more.
  private final class Flag: Sendable {
    private let state = Atomic<Bool>(false)
    func raise() { state.store(true, ordering: .relaxed) }
    var isUp: Bool { state.load(ordering: .relaxed) }
  }

  /// How long the queue takes, at a millisecond a MiB and pass, which is what a core of these years needs.
  private func secondsToWork(off count: Int) -> Int {
    let milliseconds = count * parameters.memoryKiB / 1024 * parameters.passes / parameters.workers
    return max(1, (milliseconds + 999) / 1000)
  }

  private static func hash(_ password: Password, _ parameters: Parameters) -> PasswordHash? {
    withCharacters(of: password) { characters, count in
      var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
      let failure = crypto_pwhash_str(
        &text, characters, count, UInt64(parameters.passes), parameters.memoryKiB * 1024)
      return failure == 0 ? PasswordHash(phc: string(text)) : nil
    }
  }

  private static func verify(_ password: Password, _ hash: PasswordHash) -> Bool {
    withCharacters(of: password) { characters, count in
      crypto_pwhash_str_verify(hash.phc, characters, count) == 0
    }
  }

  private static func isOutdated(_ hash: PasswordHash, _ parameters: Parameters) -> Bool {
    crypto_pwhash_str_needs_rehash(hash.phc, UInt64(parameters.passes), parameters.memoryKiB * 1024) != 0
  }

  private static func string(_ text: [CChar]) -> String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Lends a password the way libsodium takes it: never a null pointer, not even for none.
  private static func withCharacters<Result: Sendable>(
    of password: Password, _ body: (UnsafePointer<CChar>, UInt64) -> Result
  ) -> Result {
    password.withBytes { bytes in
      guard let start = bytes.bindMemory(to: CChar.self).baseAddress, !bytes.isEmpty else { return body("", 0) }
      return body(start, UInt64(bytes.count))
    }
  }
}
