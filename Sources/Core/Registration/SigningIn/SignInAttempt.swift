/// One try to sign in, as the throttle sees it: neither address nor password are in it or can be had from it.
package struct SignInAttempt: Sendable {
  /// The account, there or not, and the place that it is tried from.
  package struct Key: Hashable, Sendable {
    let account: UInt64
    let place: Place
  }

  /// The uid of the calling process (SO_PEERCRED, unix(7)), and the origin that it names, if any.
  struct Place: Hashable, Sendable {
    let number: UInt64
    let uid: UInt32
    /// Whether the caller tells its users apart.
    let hasOrigin: Bool
  }

  let key: Key
  /// The share of the calling process, by which questions take turns.
  let share: Share
  /// Tells passwords at one account from each other; never 0. Two have the same one time in 65535.
  let mark: UInt16
  /// Of the same password, and independent of `mark`: what is kept of one that was right. 12 bits.
  let trace: UInt16
  /// Stands in for the trace of the right password if none is known.
  let decoy: UInt16
  /// The account's number for the shared throttle; nil if there is none.
  let shared: UInt64?
}

/// Makes attempts, by two keys that are this process's own and are never written down, and by one that several regd share.
///
/// An attacker who reads the process's memory has the keys as well, and can try passwords against what is kept of them as
/// quickly as SipHash goes. So very little is kept: a wrong password leaves 16 bits, for what was mistyped here may be
/// right elsewhere; a right one leaves 12, which spare a thief of memory and store 4095 of 4096 Argon2 hashes and no more.
/// What that costs: a wrong password in 8192 is taken for a repeat of one of the last eight, and of those that a wait
/// would refuse, one in 4096 is hashed.
package struct SignInAttempts: Sendable {
  private let accounts: SipHash
  private let passwords: SipHash

  package init(using generator: inout some RandomNumberGenerator) {
    accounts = SipHash(using: &generator)
    passwords = SipHash(using: &generator)
  }

  /// Bytes of an address, or of what was typed for one, that count. The longest key of an address is shorter: 64 bytes
  /// of a local part become at most 704 (UAX #15, "Expansion Factors": eleven times in NFKC), and a domain has 253.
  private static let longestAccount = 1024

  /// - Parameters:
  ///   - account: An address's key; where what was typed is no address, what was typed.
  ///   - share: The share of the calling process.
  ///   - key: That of the shared throttle, if there is one.
  package func attempt(
    account: String, share: Share, password: Password, sharedBy key: SharedThrottleKey? = nil
  ) -> SignInAttempt {
    let shared = key.map { Self.number(of: account, by: $0.hash) }
    let key = self.key(account: account, share: share)
    let bits = password.withBytes { passwords.hash($0, after: key.account) }
    let decoy = withUnsafeBytes(of: key.place.number.littleEndian) { accounts.hash($0, after: key.account) }
    return SignInAttempt(
      key: key, share: share,
      mark: max(1, UInt16(truncatingIfNeeded: bits)),
      trace: UInt16(truncatingIfNeeded: bits >> 16) & 0xFFF, decoy: UInt16(truncatingIfNeeded: decoy) & 0xFFF,
      shared: shared)
  }

  /// The place of a share at an account, by the key of its address.
  func key(account: String, share: Share) -> SignInAttempt.Key {
    SignInAttempt.Key(account: number(of: account), place: place(of: share))
  }

  private func place(of share: Share) -> SignInAttempt.Place {
    let uid = share.uid ?? .max
    guard let origin = share.origin else {
      return SignInAttempt.Place(number: UInt64(uid), uid: uid, hasOrigin: false)
    }
    var text = origin.text
    let number = text.withUTF8 { accounts.hash(UnsafeRawBufferPointer($0), after: UInt64(uid)) }
    return SignInAttempt.Place(number: number, uid: uid, hasOrigin: true)
  }

  /// The number of an account: 64 bits of a keyed hash, so that no caller can choose two accounts with one number, and two
  /// of millions collide once in a million years.
  func number(of account: String) -> UInt64 { Self.number(of: account, by: accounts) }

  static func number(of account: String, by hash: SipHash) -> UInt64 {
    var account = account
    return account.withUTF8 {
      hash.hash(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: $0.prefix(longestAccount))))
    }
  }
}
