internal import Registration
import TestDoubles

extension StoreConformance {
  /// Calls `body` with a store on a separate empty database.
  package typealias WithCuttableStore = @Sendable (_ body: (CuttableStore) async throws -> Void) async throws -> Void

  /// Rules for a connection to the store's server that is cut anywhere: before the first message of a change, before
  /// the second, and so on, until the change succeeds.
  package static let cuts: [ConformanceRule<WithCuttableStore>] = changes.map { name, hasClaims, change in
    ConformanceRule("\(name): after a cut at any message, all processes see all or nothing, and a retry completes it") {
      with in
      for message in 1...1000 {
        nonisolated(unsafe) var isThrough = false
        do {
          try await with { subject in isThrough = try await checkCut(subject, hasClaims, change, before: message) }
        } catch {
          throw Broken(description: "cut before message \(message): \(error)")
        }
        guard !isThrough else {
          guard message > 1 else { throw Broken(description: "nothing was cut") }
          return
        }
      }
      throw Broken(description: "a change of more than a thousand messages")
    }
  }

  /// Makes a change, and cuts the connection before one of its messages. Returns whether the change succeeded before
  /// the cut was reached.
  private static func checkCut(
    _ subject: CuttableStore, _ hasClaims: Bool, _ change: Change, before message: Int
  ) async throws -> Bool {
    let scene = try Scene()
    let reference = MemoryStore().accounts
    try await scene.prepare(reference, withClaims: hasClaims)
    try await scene.prepare(subject.store, withClaims: hasClaims)
    // opens the store's sessions before the cut, because a store that loses a session while opening it
    // considers the server unreachable
    let before = try await Sight(subject.store, scene)
    try same(before, try await Sight(reference, scene), "before")
    let head = try await subject.store.auditTree()
    try await change(reference, scene)
    let after = try await Sight(reference, scene)
    subject.cut(message)
    let failure = await failure { () async throws(StoreFailure) in try await change(subject.store, scene) }
    let wasCut = subject.heal()
    let seen = try await Sight(subject.store, scene)
    try same(try await Sight(try await subject.another(), scene), seen, "what another process sees")
    try same(anonymous(subject.observed()), seen.entries, "the observer's entries")
    switch failure {
    case nil: try same(seen, after, "after it was acknowledged")
    case .unavailable: try same(seen, before, "after it was refused")
    case .unknown:
      guard seen == before || seen == after else { throw Broken(description: "half done: \(seen)") }
    case .full, .readOnly, .cancelled:
      throw Broken(description: "ended with \(String(describing: failure))")
    }
    if seen == before { try await change(subject.store, scene) }
    try same(try await Sight(subject.store, scene), after, "in the end")
    try same(try await isIntact(subject.store, since: head), true, "whether the audit verifies")
    return !wasCut
  }
}
