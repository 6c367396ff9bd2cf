internal import AsyncPrimitives
internal import Synchronization

/// A queue in which one member at a time leads. The leader does its own work, and may also do the work of waiting
/// members, for example in the same transaction (group commit: D. DeWitt et al., "Implementation Techniques for Main
/// Memory Database Systems", 1984). Members take turns as in a `FairSemaphore`.
package final class GroupCommitQueue<Group: Hashable & Sendable, Member: Hashable & Sendable, Work: Sendable>: Sendable
{
  package enum Turn: Sendable {
    /// The member does its work itself, and calls `leave` afterwards.
    case leads
    /// A leader has done the member's work.
    case followed
    /// The task was cancelled while the member waited. Its work was not begun.
    case cancelled
  }

  /// A member whose work the leader does. The member waits until the leader calls `end`.
  package struct Follower: Sendable {
    package let work: Work
    fileprivate let turn: Promise<Turn>

    package func end() { turn.fulfill(.followed) }
  }

  private struct Waiter: Sendable {
    let work: Work?
    let turn = Promise<Turn>()
  }

  private struct State {
    var isLed = false
    var waiting = FairQueue<Group, Member, Waiter>()
    /// The member that leads next: `next` took it from the queue, but it has no work that a leader can do.
    var leadsNext: Waiter?
  }

  private let state = Mutex(State())

  package init() {}

  /// How many members wait.
  package var count: Int { state.withLock { $0.waiting.count + ($0.leadsNext == nil ? 0 : 1) } }

  /// Waits for the member's turn, or until a leader has done its work.
  ///
  /// - Parameters:
  ///   - work: The work that a leader may do for the member, or nil if only the member itself can do its work.
  ///   - isLate: Whether the member keeps its place in the queue even if its task is cancelled.
  package func join(of group: Group, _ member: Member, _ work: Work?, evenIfLate isLate: Bool) async -> Turn {
    guard isLate || !Task.isCancelled else { return .cancelled }
    let waiter = Waiter(work: work)
    let leads = state.withLock { state in
      guard state.isLed else {
        state.isLed = true
        return true
      }
      state.waiting.append(waiter, of: group, member)
      return false
    }
    if leads { return .leads }
    return await waiter.turn.value {
      guard !isLate else { return }
      // a waiter that is not found has already had its turn
      self.state.withLock { $0.waiting.remove(of: group, member) { $0.turn == waiter.turn } }?.turn.fulfill(.cancelled)
    }
  }

  /// Takes the next waiting member, whose work the leader then does. Called by the leader, on any thread.
  ///
  /// - Returns: Nil if no member waits, or if the next member must do its work itself.
  package func next() -> Follower? {
    state.withLock { state in
      guard state.leadsNext == nil, let waiter = state.waiting.popFirst()?.element else { return nil }
      guard let work = waiter.work else {
        state.leadsNext = waiter
        return nil
      }
      return Follower(work: work, turn: waiter.turn)
    }
  }

  /// Ends the leader's turn, and lets the next waiting member lead.
  package func leave() {
    let next = state.withLock { state in
      let next = state.leadsNext.take() ?? state.waiting.popFirst()?.element
      state.isLed = next != nil
      return next
    }
    next?.turn.fulfill(.leads)
  }
}
