import StoreModels
import Synchronization

@testable import Registration

/// The prepared answers of a store (`ScriptedStore`), in order. When a function asks for more, its operation fails, which
/// ends the function.
///
/// A function cannot be copied while it waits. To continue it in several ways, a test calls it again with the answers so
/// far and one more. Only chance then differs: the ids of new claims. The script uses the ids of the first call.
final class StoreScript: Sendable {
  typealias Step = (operation: ClaimOperation, answer: ClaimOperation.Answer)

  private struct State {
    var asked: [ClaimOperation] = []
    var next: ClaimOperation?
    /// The claims of the first call, by the ids that this call has given them.
    var first: [ClaimID: AddressClaim] = [:]
  }

  private let answers: [ClaimOperation.Answer]
  private let earlier: [ClaimOperation]
  private let failure: StoreFailure
  private let state = Mutex(State())

  /// - Parameter failure: The failure of the operation after the last answer.
  init(_ answers: [ClaimOperation.Answer], then failure: StoreFailure = .cancelled) {
    (self.answers, self.failure) = (answers, failure)
    earlier = []
  }

  /// - Parameter steps: The operations of the first call so far, and their answers.
  init(repeating steps: [Step]) {
    answers = steps.map { $0.answer }
    earlier = steps.map { $0.operation }
    failure = .cancelled
  }

  /// The operations that were answered.
  var asked: [ClaimOperation] { state.withLock { $0.asked } }

  /// The operation after the last answer, or nil if the function has ended without it.
  var next: ClaimOperation? { state.withLock { $0.next } }

  func answer(_ operation: ClaimOperation) throws(StoreFailure) -> ClaimOperation.Answer {
    let answer = state.withLock { state -> ClaimOperation.Answer? in
      guard state.next == nil else { return nil }
      let index = state.asked.count
      guard index < answers.count else {
        state.next = Self.first(of: operation, state.first)
        return nil
      }
      state.asked.append(operation)
      if index < earlier.count, case .add(let claim, _, _) = operation, case .add(let first, _, _) = earlier[index] {
        state.first[claim.id] = first
      }
      return answers[index]
    }
    guard let answer else { throw failure }
    return answer
  }

  /// The outcome, with the ids of the first call.
  func first(of outcome: RegistrationOutcome) -> RegistrationOutcome {
    guard case .claimed(let claim) = outcome else { return outcome }
    return .claimed(state.withLock { $0.first[claim.id] } ?? claim)
  }

  /// The outcome, with the ids of the first call.
  func first(of outcome: ClaimOutcome) -> ClaimOutcome {
    guard case .claimed(let claim) = outcome else { return outcome }
    return .claimed(state.withLock { $0.first[claim.id] } ?? claim)
  }

  private static func first(of operation: ClaimOperation, _ first: [ClaimID: AddressClaim]) -> ClaimOperation {
    guard case .end(let id) = operation, let claim = first[id] else { return operation }
    return .end(claim.id)
  }
}
