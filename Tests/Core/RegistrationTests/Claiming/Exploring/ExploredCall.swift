import StoreModels
import TestDoubles

@testable import Registration

/// A call that a caller may make. A claim's number consists of its caller's number and the count of that caller's
/// earlier claims.
enum ExploredCall: Hashable {
  case register
  case resend(Int)
  case prove(Int, code: Int)
  case startRecovery
  case finishRecovery(Int, code: Int)
}

/// A call in progress: the function or conductor, and the operation or action to perform next.
struct ExploredRun {
  enum Work {
    /// A function of `Registrar`, and the operation of the store that it asks for. Nil until it is called.
    case function(ClaimOperation?)
    /// The registration within a proof.
    case registration(RegistrationConductor, RegistrationConductor.Action)
  }

  let call: ExploredCall
  /// The time at which the call began. Its function or conductor uses this time.
  let began: Int
  var work: Work
  /// The operations that were done for the function, with their answers.
  var steps: [StoreScript.Step] = []
  /// The outcome of the registration within a proof, once it has ended.
  var registered: RegistrationOutcome?
  /// The answers so far. Together with the call, they are all that its function or conductor knows.
  var trail = ExploredDigest()
  /// The code that the store accepted as correct.
  var right: (claim: Int, generation: Int)?
  /// The account whose attempt this call has begun, as in `Registrar.attempts`.
  var attempt: AccountID?
  /// The account whose attempt belongs to another caller, while this call waits for that caller.
  var waitsFor: AccountID?
}

/// A hash of a sequence of words (FNV-1a). Equal sequences have equal hashes.
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
