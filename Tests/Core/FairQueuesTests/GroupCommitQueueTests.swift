import FairQueues
import Testing

@Suite("A queue with leaders and followers", .timeLimit(.minutes(10)))
struct GroupCommitQueueTests {
  private typealias Queue = GroupCommitQueue<Int, Int?, String>

  /// Lets members join one after another while another member leads. Returns their turns by name.
  private func waiting(
    _ members: [(user: Int, name: String, follows: Bool)], _ body: @Sendable (Queue) async -> Void
  ) async -> [String: Queue.Turn] {
    let queue = Queue()
    #expect(await queue.join(of: 0, nil, "first", evenIfLate: false) == .leads)
    return await withTaskGroup { group in
      for (index, member) in members.enumerated() {
        group.addTask {
          let turn = await queue.join(of: member.user, nil, member.follows ? member.name : nil, evenIfLate: false)
          if turn == .leads { queue.leave() }
          return (member.name, turn)
        }
        while queue.count <= index { await Task.yield() }
      }
      await body(queue)
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  @Test("the leader takes waiting members in the turns of their users")
  func turns() async {
    let turns = await waiting([(1, "a", true), (1, "b", true), (1, "c", true), (2, "d", true)]) { queue in
      var followers: [Queue.Follower] = []
      while let follower = queue.next() { followers.append(follower) }
      #expect(followers.map(\.work) == ["a", "d", "b", "c"])
      #expect(queue.count == 0)
      for follower in followers { follower.end() }
      queue.leave()
    }
    #expect(turns.values.allSatisfy { $0 == .followed })
    #expect(turns.count == 4)
  }

  @Test("a member that cannot follow ends the group and leads the next one")
  func leading() async {
    let turns = await waiting([(1, "a", true), (1, "large", false), (1, "b", true)]) { queue in
      let follower = queue.next()
      #expect(follower?.work == "a")
      #expect(queue.next() == nil)
      // no other member overtakes it
      #expect(queue.next() == nil)
      follower?.end()
      queue.leave()
    }
    #expect(turns == ["a": .followed, "large": .leads, "b": .leads])
  }

  @Test("members that the leader did not take lead one after another")
  func left() async {
    let turns = await waiting([(1, "a", true), (2, "b", true)]) { $0.leave() }
    #expect(turns == ["a": .leads, "b": .leads])
  }

  @Test("a leader does not take a member that is cancelled while it waits, unless the member must run even if late")
  func cancelled() async {
    let queue = Queue()
    #expect(await queue.join(of: 0, nil, "first", evenIfLate: false) == .leads)
    let (gone, late) = (member("gone", of: queue, isLate: false), member("late", of: queue, isLate: true))
    while queue.count < 2 { await Task.yield() }
    gone.cancel()
    late.cancel()
    #expect(await gone.value == .cancelled)
    let follower = queue.next()
    #expect(follower?.work == "late")
    #expect(queue.next() == nil)
    follower?.end()
    #expect(await late.value == .followed)
    queue.leave()
    #expect(await member("again", of: queue, isLate: false).value == .leads)
    let none = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await queue.join(of: 0, nil, "none", evenIfLate: false)
    }
    #expect(await none.value == .cancelled)
  }

  private func member(_ name: String, of queue: Queue, isLate: Bool) -> Task<Queue.Turn, Never> {
    Task { await queue.join(of: 1, nil, name, evenIfLate: isLate) }
  }
}
