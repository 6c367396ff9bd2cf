/// Part of a test double: while the curtain is down, the double holds its answers back, and tests can wait until it
/// holds some.
struct Curtain<Told: Sendable> {
  var isDown = false
  private var held: [CheckedContinuation<Told?, Never>] = []
  private var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

  mutating func hold(_ answer: CheckedContinuation<Told?, Never>) {
    held.append(answer)
    for watcher in watchers where watcher.count <= held.count { watcher.continuation.resume() }
    watchers.removeAll { $0.count <= held.count }
  }

  /// Resumes the continuation as soon as `count` answers are held.
  mutating func reached(_ count: Int, _ continuation: CheckedContinuation<Void, Never>) {
    if held.count >= count { continuation.resume() } else { watchers.append((count, continuation)) }
  }

  /// Gives this answer to the caller that has been held longest, and does nothing if no caller is held.
  mutating func release(_ told: Told?) {
    guard !held.isEmpty else { return }
    held.removeFirst().resume(returning: told)
  }

  mutating func open() {
    isDown = false
    for answer in held { answer.resume(returning: nil) }
    held = []
  }
}
