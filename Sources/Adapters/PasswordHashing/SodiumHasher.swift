internal import CSodium
internal import Linux
package import Liveness
package import Registration
internal import SecureMemory
internal import WorkerThreads

/// Hashes passwords with Argon2id (RFC 9106) of Debian's libsodium, on separate threads, so that no event loop waits.
/// Also verifies the hashes of other systems that `PasswordHashFormat` accepts, each by its own scheme.
///
/// As many hashes run at once as there are threads, which bounds the memory. Each thread holds `memoryKiB`, or for a
/// quick hash of another system at most four times `memoryKiB` times `passes`. One more thread runs all slow hashes of
/// other systems, and holds up to 256 MiB. A thread keeps the memory of one hash for the next, and frees it after half
/// a second without work.
package final class SodiumHasher: PasswordHasher {
  package struct Parameters: Equatable, Sendable {
    /// Memory of one hash in KiB. OWASP's minimum for two passes is 19456.
    package var memoryKiB: Int
    /// Passes over that memory.
    package var passes: Int
    /// How many hashes run at once.
    package var workers: Int
    /// How many hashes of one share (one origin of a user) may wait beyond those that run. One user's shares together
    /// may have four times as many.
    package var queue: Int

    package init(memoryKiB: Int = 19_456, passes: Int = 2, workers: Int, queue: Int = 256) {
      self.memoryKiB = memoryKiB
      self.passes = passes
      self.workers = workers
      self.queue = queue
    }

    /// Why memory and passes are too weak, or nil if they cost at least as much as one of the settings that the OWASP
    /// Password Storage Cheat Sheet calls equivalent (m=47104 t=1, m=19456 t=2, m=12288 t=3, m=9216 t=4, m=7168 t=5).
    package var weakness: String? {
      let floor = [1: 47_104, 2: 19_456, 3: 12_288, 4: 9_216][passes] ?? 7_168
      return memoryKiB >= floor ? nil : "with \(passes) passes, OWASP asks for \(floor) KiB or more"
    }
  }

  package enum StartFailure: Error, Equatable {
    /// libsodium cannot be set up, or the process may not have the memory for one hash.
    case libraryFailed
    case threadsFailed(errorNumber: Int32)
  }

  private let parameters: Parameters
  private let mainQueue: HashingQueue
  /// The queue for hashes of other systems that take much longer than regd's own. They run one at a time, and delay no
  /// other hash.
  private let slowQueue: HashingQueue
  /// The hash to compare with if the account does not exist or has no password. The comparison costs as much as that
  /// with a new hash. A password that matches the random tag cannot be found.
  private let decoy: PasswordHashFormat.Scheme

  /// A hash is slow if it takes more than this many times as long as a hash of regd.
  private static let slowness = 4

  private let keys: ForeignKeys

  /// How long an idle thread keeps the memory of a hash.
  package static let memoryIsKept: Duration = .milliseconds(500)

  /// Starts the threads. Computes no hash, so that the start is quick.
  ///
  /// - Parameter memoryIsKept: With nil, each hash maps its own memory.
  package init(
    _ parameters: Parameters, keys: ForeignKeys = ForeignKeys(), memoryIsKept: Duration? = SodiumHasher.memoryIsKept
  ) throws(StartFailure) {
    guard sodium_init() >= 0, ThisProcess.mayHave(bytes: parameters.memoryKiB * 1024) else { throw .libraryFailed }
    self.parameters = parameters
    self.keys = keys
    let milliseconds = max(1, parameters.memoryKiB * parameters.passes / 1024)
    do {
      mainQueue = try HashingQueue(
        name: "regd-hash", workers: parameters.workers, queue: parameters.queue, milliseconds: milliseconds,
        memory: memoryIsKept.map { HashingMemory(memoryKiB: parameters.memoryKiB, keptFor: $0) })
      slowQueue = try HashingQueue(
        name: "regd-hash-slow", workers: 1, queue: parameters.queue, milliseconds: milliseconds * 2 * Self.slowness)
    } catch {
      throw .threadsFailed(errorNumber: error.errorNumber)
    }
    decoy = .argon2id(
      .init(
        memoryKiB: parameters.memoryKiB, passes: parameters.passes, salt: Self.random(Int(crypto_pwhash_SALTBYTES)),
        tag: Self.random(PasswordHashFormat.Argon2id.ownTagLength)))
  }

  /// Ends the threads after they have finished all waiting hashes. No hash may be requested afterwards.
  package func stop() {
    mainQueue.stop()
    slowQueue.stop()
  }

  package func hash(_ password: Password, _ turn: HashingTurn) async throws(HashingFailure) -> PasswordHash {
    let parameters = parameters
    guard let hash = try await mainQueue.run(turn, { Self.hash(password, parameters) }) else { throw .unavailable }
    return hash
  }

  package func verify(
    _ password: Password, against hash: PasswordHash?, _ turn: HashingTurn
  ) async throws(HashingFailure) -> PasswordVerdict {
    let (scheme, keys) = (try hash.flatMap(scheme), keys)
    let wanted = scheme ?? decoy
    let isOwn = scheme?.isCurrent(parameters) ?? true
    // the same forms for a hash with regd's own parameters and for the decoy, so that a wrong password and an unknown address cost
    // the same
    let forms = isOwn ? PasswordForm.unescaped(password) : wanted.forms(of: password)
    let chosen = isSlow(wanted, times: forms.count) ? slowQueue : mainQueue
    let (comparison, form) = try await chosen.run(turn) { wanted.compare(with: forms, keys) }
    switch comparison {
    case .same:
      // a hash that ignores a part of the password does not show whether that part was typed right, so it is not
      // replaced
      guard let scheme, let form, form.isWhole, scheme.seesAll(of: form.password) else {
        return scheme == nil ? .wrong : .right(isOutdated: false)
      }
      // with regd's own parameters, an imported hash may still be of a password that is not in NFC
      return .right(isOutdated: !isOwn || form.password !== password)
    case .other: return .wrong
    case .underivable: throw .unavailable
    }
  }

  /// The number of passwords that wait for hashing or are being hashed.
  package var pendingCount: Int { mainQueue.count + slowQueue.count }

  /// A probe that is answered while the queue moves or is empty. Excludes the queue of slow hashes,
  /// each of which may take seconds.
  package var probe: Probe { mainQueue.probe("the hashing queue") }

  private func isSlow(_ scheme: PasswordHashFormat.Scheme, times count: Int) -> Bool {
    scheme.milliseconds * count > Self.slowness * decoy.milliseconds
  }

  private static func hash(_ password: Password, _ parameters: Parameters) -> PasswordHash? {
    password.withCharacters { characters, count in
      var text = [CChar](repeating: 0, count: Int(crypto_pwhash_STRBYTES))
      let failure = crypto_pwhash_str(
        &text, characters, UInt64(count), UInt64(parameters.passes), parameters.memoryKiB * 1024)
      return failure == 0 ? PasswordHash(phc: string(text)) : nil
    }
  }

  private static func random(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    randombytes_buf(&bytes, count)
    return bytes
  }

  private static func string(_ text: [CChar]) -> String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// - Returns: The parsed hash, or nil if the account has no password.
  private func scheme(of hash: PasswordHash) throws(HashingFailure) -> PasswordHashFormat.Scheme? {
    if hash == .none { return nil }
    switch PasswordHashFormat.read(hash, keys) {
    case .success(let scheme): return scheme
    case .failure(let problem): throw .unreadableHash(problem)
    }
  }
}

/// Hashes and compares codes with libsodium.
package struct SodiumCodeHashing: CodeHashing {
  package init() {}

  package func hash(_ message: [UInt8], key: CodeKey) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
    // always returns 0
    _ = crypto_auth_hmacsha256(&hash, message, UInt64(message.count), key.bytes)
    return hash
  }

  package func digest(_ message: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
    crypto_hash_sha256(&digest, message, UInt64(message.count))
    return digest
  }

  package func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && sodium_memcmp(one, other, one.count) == 0
  }
}

/// Hashes the audit's tree and signs its heads with libsodium.
package struct SodiumAuditCryptography: AuditCryptography {
  package init() {}

  package func digest(_ message: [UInt8]) -> [UInt8] { SodiumCodeHashing().digest(message) }

  package func publicKey(of seed: CodeKey) -> [UInt8] {
    var pair = Self.pair(of: seed)
    defer { wipe(&pair.secretKey) }
    return pair.publicKey
  }

  package func signature(of message: [UInt8], by seed: CodeKey) -> [UInt8] {
    var pair = Self.pair(of: seed)
    defer { wipe(&pair.secretKey) }
    var signature = [UInt8](repeating: 0, count: crypto_sign_ed25519_bytes())
    // always returns 0
    _ = crypto_sign_ed25519_detached(&signature, nil, message, UInt64(message.count), pair.secretKey)
    return signature
  }

  private static func pair(of seed: CodeKey) -> (publicKey: [UInt8], secretKey: [UInt8]) {
    var publicKey = [UInt8](repeating: 0, count: crypto_sign_ed25519_publickeybytes())
    var secretKey = [UInt8](repeating: 0, count: crypto_sign_ed25519_secretkeybytes())
    // always returns 0
    _ = crypto_sign_ed25519_seed_keypair(&publicKey, &secretKey, seed.bytes)
    return (publicKey, secretKey)
  }
}
