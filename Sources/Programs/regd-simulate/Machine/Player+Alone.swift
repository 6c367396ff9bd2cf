internal import CSimulation
internal import Synchronization

extension Player {
  private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
  }

  /// Runs a task to its end on the simulated executors, before a `Simulation` exists.
  static func finish<Value: Sendable>(_ task: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Outcome<Value>()
    Task {
      let result: Result<Value, any Error>
      do { result = .success(try await task()) } catch { result = .failure(error) }
      outcome.result.withLock { $0 = result }
    }
    let player = Player(seed: 0)
    while true {
      if let result = outcome.result.withLock({ $0 }) { return try result.get() }
      guard player.step(Outside(next: { .max }, play: {})) else { preconditionFailure("the task waits for nobody") }
    }
  }
}
