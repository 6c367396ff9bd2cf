/// Makes the codes of claims and compares them. A code is stored nowhere: it consists of digits of a keyed hash (HMAC-SHA-256,
/// RFC 2104) of the claim's id and the number of the code. So regd can mail the same code again, and the store's content is
/// useless without the key.
package struct ClaimCodes: Sendable {
  private let hashing: any CodeHashing
  private let key: @Sendable () -> CodeKey

  /// - Parameter key: Returns the store's key. Called each time, because a move may bring another store.
  package init(_ hashing: any CodeHashing, key: @escaping @Sendable () -> CodeKey) {
    self.hashing = hashing
    self.key = key
  }

  /// The claim's present code: `claim.digits` decimal digits. They come from 64 bits of the hash, so all codes of up to
  /// 12 digits are equally likely, to within one part in ten million (RFC 4226 section 5.3 takes 31 bits).
  package func code(of claim: AddressClaim) -> String {
    let hash = hashing.hash(Array("\(claim.id) \(claim.generation)".utf8), key: key())
    var number = hash.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    var digits: [UInt8] = []
    for _ in 0..<claim.digits {
      digits.append(UInt8(ascii: "0") + UInt8(number % 10))
      number /= 10
    }
    return String(decoding: digits.reversed(), as: UTF8.self)
  }

  /// Whether this is the claim's present code. Takes the same time for every text of the right form.
  ///
  /// - Parameter digits: The result of `digits(of:)`.
  package func isRight(_ digits: String, for claim: AddressClaim) -> Bool {
    hashing.areEqual(Array(digits.utf8), Array(code(of: claim).utf8))
  }

  /// The code of a mailed invitation, which is the same each time its mail is sent.
  package func code(ofInvitation id: InvitationID) -> InvitationCode {
    InvitationCode(hashing.hash(Array("invitation \(id)".utf8), key: key()))
  }

  package func digest(of code: InvitationCode) -> InvitationDigest { InvitationDigest(hashing.digest(code.bytes)) }

  /// The digest of a typed code. A text that is not a code gets a digest that no code has.
  func digest(of typed: String) -> InvitationDigest {
    if let code = InvitationCode(typed) { return digest(of: code) }
    return InvitationDigest(hashing.digest(Array("no code".utf8)))
  }

  /// The typed code in plain digits, without spaces, hyphens and invisible characters (`TypedCharacter`), or nil if the
  /// rest is not exactly `count` digits.
  package static func digits(of typed: String, _ count: Int) -> String? {
    var digits: [UInt8] = []
    for scalar in typed.unicodeScalars {
      switch TypedCharacter(scalar) {
      case .ignored: continue
      case .plain(let byte):
        guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte, digits.count < count else { return nil }
        digits.append(byte)
      case .other: return nil
      }
    }
    return digits.count == count ? String(decoding: digits, as: UTF8.self) : nil
  }
}

/// The result of a guess of a claim's code.
enum GuessedCode {
  /// The code is correct. The claim may be in any state.
  case right(AddressClaim)
  case refused(ProofOutcome)
}

extension Registrar {
  /// Guesses a claim's code. Nothing else is done before the store has counted the guess. The caller learns only the
  /// store's answer, so trying many codes at once gains nothing beyond the allowed `attempts`.
  ///
  /// - Parameters:
  ///   - mayChange: Asked before the guess is counted.
  ///   - found: Called with the claim, if the claim is the caller's and not hidden.
  ///   - refuse: Returns the outcome if the claim admits no guess, or nil if it admits one.
  func guess(
    _ id: ClaimID, code: String, by requester: Requester, at now: Timestamp, _ mayChange: inout FirstCommit,
    _ found: (AddressClaim) -> Void, refusing refuse: (AddressClaim) -> ProofOutcome?
  ) async throws(Obstacle) -> GuessedCode {
    while true {
      guard let claim = try await find(open: id, of: requester, at: now, found), claim.uid == requester.uid else {
        return .refused(.gone)
      }
      // a hidden claim looks gone until the store has counted the guess, so even a password that breaks rules costs an
      // attempt
      if let refusal = refuse(claim), !claim.isHidden || refusal == .gone { return .refused(refusal) }
      // a repeated proof gets the same answer until the claim expires, but a repeated recovery only while its code is
      // valid
      let isGood = claim.codeUntil > now || claim.state == .proven && claim.kind != .recovery
      // refusing an expired code, or a string that is not a code, reveals nothing about the code, so it costs no attempt
      guard isGood, !claim.isSpent, let digits = ClaimCodes.digits(of: code, claim.digits) else {
        return .refused(claim.rejection(attemptsLeft: max(0, verification.attempts - claim.attempts)))
      }
      let isRight = codes?.isRight(digits, for: claim) ?? false
      let guess = CodeGuess(
        isRight: isRight && claim.hasCode, generation: claim.generation, attempts: verification.attempts)
      let answer: GuessAnswer
      do throws(Obstacle) {
        guard mayChange.isGranted else { throw .cancelled }
        answer = try await Obstacle.ofStore(try await store.guess(id, guess, Stamp(now, by: requester)))
      } catch {
        // no guess is counted for a removed claim, so a failure of the store would reveal that this claim exists
        guard claim.isHidden else { throw error }
        return .refused(.gone)
      }
      switch answer {
      case .right(let guessed):
        if claim.isHidden, let refusal = refuse(guessed) { return .refused(refusal) }
        return .right(guessed)
      case .wrong(let left): return .refused(claim.rejection(attemptsLeft: left))
      case .outdated: break  // a resend has given the claim another code meanwhile
      case .gone: return .refused(.gone)
      }
    }
  }
}

extension AddressClaim {
  fileprivate func rejection(attemptsLeft: Int) -> ProofOutcome {
    isHidden ? .gone : .codeRejected(attemptsLeft: attemptsLeft, isVerified: state == .proven)
  }
}
