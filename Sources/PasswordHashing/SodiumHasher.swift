internal import CSodium
package import Registration
internal import Synchronization
internal import WorkerThreads

/// Argon2id (RFC 9106) by Debian's libsodium, on threads of its own beside the event loops. Hashes from elsewhere that
/// `PasswordHashFormat.check` has taken are verified as what they are.
///
/// As many run at once as there are threads, so that this much memory is taken at most: for each thread that of the
/// parameters, or the 256 MiB of the costliest hash from elsewhere, whichever is more.
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
  private let decoy: PasswordHashFormat.Scheme

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
    guard let hash = Self.hash(Password(utf8: secret), parameters),
      case .success(let decoy) = PasswordHashFormat.read(hash)
    else { throw .libraryFailed }
    self.decoy = decoy
  }

  /// Lets the threads finish what waits, and ends them. Nothing may be hashed afterwards.
  package func stop() { threads.stop() }

  package func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash {
    let parameters = parameters
    guard let hash = try await run({ Self.hash(password, parameters) }) else { throw .unavailable }
    return hash
  }

  package func verify(
    _ password: Password, against hash: PasswordHash?, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict {
    let scheme = try hash.map(Self.scheme)
    let wanted = scheme ?? decoy
    switch try await run({ wanted.compare(with: password) }) {
    case .same: return scheme.map { .right(isOutdated: !$0.isCurrent(parameters)) } ?? .wrong
    case .other: return .wrong
    case .underivable: throw .unavailable
    }
  }

  /// Passwords that are being hashed or wait for it.
  package var pendingCount: Int { pending.load(ordering: .relaxed) }

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
    password.withCharacters { characters, count in
      var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
      let failure = crypto_pwhash_str(
        &text, characters, UInt64(count), UInt64(parameters.passes), parameters.memoryKiB * 1024)
      return failure == 0 ? PasswordHash(phc: string(text)) : nil
    }
  }

  private static func string(_ text: [CChar]) -> String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func scheme(of hash: PasswordHash) throws(HashingFailure) -> PasswordHashFormat.Scheme {
    switch PasswordHashFormat.read(hash) {
    case .success(let scheme): return scheme
    case .failure(let problem): throw .unreadableHash(problem)
    }
  }
}
