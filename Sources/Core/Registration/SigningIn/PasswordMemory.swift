internal import Synchronization

/// Remembers passwords that were correct a moment ago. A program that sends its user's password with each request then
/// costs one hash, not one per request.
///
/// An entry is 128 bits of a keyed hash of the password and of the stored hash with which it was compared, under a key
/// of this process that is never written down. The caller reads the account first, so it notices a deleted or disabled
/// account. After a change of the password, the other stored hash matches no entry. An entry saves only the hashing:
/// throttle, counts and audit work as for any sign-in.
package final class PasswordMemory: Sendable {
  private struct Print: Hashable {
    let first: UInt64
    let second: UInt64
  }

  private struct Guarded {
    var ends: [Print: ContinuousClock.Instant] = [:]
    /// No entry expires before this time, so an earlier sweep would remove nothing.
    var nextSweep: ContinuousClock.Instant
  }

  /// The most entries. An account has one, except just after its password has changed. When all are in use, the passwords of
  /// further accounts are hashed each time, and no account loses its entry to others.
  private static let most = 65_536

  private let lasting: Duration
  private let prints: (SipHash, SipHash)
  private let guarded: Mutex<Guarded>
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameter now: The clock, which continues while the machine sleeps.
  package init(
    lasting: Duration, now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
  ) {
    var generator = SystemRandomNumberGenerator()
    prints = (SipHash(using: &generator), SipHash(using: &generator))
    (self.lasting, self.now) = (lasting, now)
    guarded = Mutex(Guarded(nextSweep: now() + lasting))
  }

  func note(_ password: Password, isRightFor hash: PasswordHash) {
    let (print, now) = (print(password, hash), now())
    guarded.withLock { guarded in
      if guarded.ends.count >= Self.most, guarded.nextSweep <= now {
        guarded.ends = guarded.ends.filter { $0.value > now }
        guarded.nextSweep = guarded.ends.values.min() ?? now + lasting
      }
      guard guarded.ends.count < Self.most || guarded.ends[print] != nil else { return }
      guarded.ends[print] = now + lasting
    }
  }

  func contains(_ password: Password, for hash: PasswordHash) -> Bool {
    let (print, now) = (print(password, hash), now())
    return guarded.withLock { guarded in
      guard let end = guarded.ends[print] else { return false }
      if end <= now { guarded.ends[print] = nil }
      return end > now
    }
  }

  private func print(_ password: Password, _ hash: PasswordHash) -> Print {
    var phc = hash.phc
    let (first, second) = phc.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      return (prints.0.hash(bytes), prints.1.hash(bytes))
    }
    return password.withBytes {
      Print(first: prints.0.hash($0, after: first), second: prints.1.hash($0, after: second))
    }
  }
}
