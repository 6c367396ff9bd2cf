import FairQueues
import Testing

@Suite("A line with leaders and followers", .timeLimit(.minutes(10)))
struct GroupLineTests {
  private typealias Line = GroupLine<Int, Int?, String>

  /// Lets members join one after another while another member leads. Returns their turns by name.
  private func waiting(
    _ members: [(user: Int, name: String, follows: Bool)], _ body: @Sendable (Line) async -> Void
  ) async -> [String: Line.Turn] {
    let line = Line()
    #expect(await line.join(of: 0, nil, "first", evenIfLate: false) == .leads)
    return await withTaskGroup { group in
      for (index, member) in members.enumerated() {
        group.addTask {
          let turn = await line.join(of: member.user, nil, member.follows ? member.name : nil, evenIfLate: false)
          if turn == .leads { line.leave() }
          return (member.name, turn)
        }
        while line.count <= index { await Task.yield() }
      }
      await body(line)
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
  }

  @Test("the leader takes waiting members in the turns of their users")
  func turns() async {
    let turns = await waiting([(1, "a", true), (1, "b", true), (1, "c", true), (2, "d", true)]) { line in
      var followers: [Line.Follower] = []
      while let follower = line.next() { followers.append(follower) }
      #expect(followers.map(\.work) == ["a", "d", "b", "c"])
      #expect(line.count == 0)
      for follower in followers { follower.end() }
      line.leave()
    }
    #expect(turns.values.allSatisfy { $0 == .followed })
    #expect(turns.count == 4)
  }

  @Test("a member that cannot follow ends the group and leads the next one")
  func leading() async {
    let turns = await waiting([(1, "a", true), (1, "large", false), (1, "b", true)]) { line in
      let follower = line.next()
      #expect(follower?.work == "a")
      #expect(line.next() == nil)
      // no other member overtakes it
      #expect(line.next() == nil)
      follower?.end()
      line.leave()
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
    let line = Line()
    #expect(await line.join(of: 0, nil, "first", evenIfLate: false) == .leads)
    let (gone, late) = (member("gone", of: line, isLate: false), member("late", of: line, isLate: true))
    while line.count < 2 { await Task.yield() }
    gone.cancel()
    late.cancel()
    #expect(await gone.value == .cancelled)
    let follower = line.next()
    #expect(follower?.work == "late")
    #expect(line.next() == nil)
    follower?.end()
    #expect(await late.value == .followed)
    line.leave()
    #expect(await member("again", of: line, isLate: false).value == .leads)
    let none = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await line.join(of: 0, nil, "none", evenIfLate: false)
    }
    #expect(await none.value == .cancelled)
  }

  private func member(_ name: String, of line: Line, isLate: Bool) -> Task<Line.Turn, Never> {
    Task { await line.join(of: 1, nil, name, evenIfLate: isLate) }
  }
}
