import TestDoubles

@testable import Registration

/// What a caller may ask for. Claims have numbers: that of their caller, and how many it has made before.
enum ExploredCall: Hashable {
  case register
  case resend(Int)
  case prove(Int, code: Int)
  case startRecovery
  case finishRecovery(Int, code: Int)
}

/// A call under way: the conductor, and its action that is to be done next.
struct ExploredRun {
  enum Conductor {
    case claiming(ClaimingConductor, ClaimingConductor.Action)
    case proof(ProofConductor, ProofConductor.Action)
    /// The registration within a proof.
    case registration(ProofConductor, RegistrationConductor, RegistrationConductor.Action)
    case resend(ResendConductor, ResendConductor.Action)
    case recoveryStart(RecoveryStart, RecoveryStart.Action)
    case recoveryFinish(RecoveryFinish, RecoveryFinish.Action)
  }

  let call: ExploredCall
  /// When the call began, which its conductor goes by.
  let began: Int
  var conductor: Conductor
  /// What it was answered so far: with the call that is all that its conductor knows.
  var trail = ExploredDigest()
  /// The code that the store has said is right.
  var right: (claim: Int, generation: Int)?
  /// The account whose attempt it has begun, as `Attempts` has it.
  var attempt: AccountID?
  /// It waits for the caller that has this attempt.
  var waitsFor: AccountID?
}

/// A hash that is the same for the same words in the same order (FNV-1a).
struct ExploredDigest: Hashable {
  private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ word: Int) {
    var rest = UInt64(bitPattern: Int64(word))
    repeat {
      value = (value ^ (rest & 0xFF)) &* 0x100_0000_01b3
      rest >>= 8
    } while rest != 0
    value = (value ^ 0x5B) &* 0x100_0000_01b3
  }
}
