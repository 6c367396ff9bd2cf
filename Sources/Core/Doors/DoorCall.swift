internal import Waiting

/// The work for one question, which can be cancelled.
final class DoorCall: Sendable {
  private let stopped = Promise<Void>()

  func cancel() { stopped.fulfill(()) }

  /// Does the work in a child task, and cancels that if the call is cancelled.
  func run(_ work: @escaping @Sendable () async -> DoorAnswer) async -> DoorAnswer {
    await withTaskGroup(of: DoorAnswer.self) { group in
      group.addTask {
        defer { self.stopped.fulfill(()) }
        return await work()
      }
      await self.stopped.value()
      group.cancelAll()
      return await group.next() ?? .away(reason: DoorReason.fault)
    }
  }
}
