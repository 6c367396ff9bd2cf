import FullScreen
import Testing

@testable import TopTerminal

@Suite("the state of top")
struct TopStateTests {
  private func key(_ text: String) -> Key { .edit(.insert(text)) }

  /// A state that shows three methods and two users.
  static func shown(_ period: Double = 2) throws -> TopState {
    var state = TopState(socket: "/run/regd/regd.sock", period: period)
    state.take(
      try #require(
        Readings.snapshot(
          at: 0, ["b.slow": (10, 0, [0, 0, 0, 0, 0]), "a.quick": (5, 0, []), "c.never": (0, 0, [])],
          users: [1: 10, 2: 1])))
    state.take(
      try #require(
        Readings.snapshot(
          at: 2, uptime: 102, ["b.slow": (12, 1, [0, 0, 3, 0, 0]), "a.quick": (25, 0, []), "c.never": (0, 0, [])],
          users: [1: 13, 2: 21])))
    return state
  }

  @Test(
    "some keys cause an action of the program",
    arguments: [
      (.edit(.insert("q")), .quit), (.edit(.insert("Q")), .quit), (.leave, .quit), (.interrupt, .interrupt),
      (.suspend, .suspend), (.redraw, .redraw), (.edit(.insert("x")), nil), (.edit(.insert("")), nil), (.enter, nil),
      (.unreadable, nil), (.edit(.backspace), nil), (.edit(.insert("pq")), .quit),
    ] as [(Key, TopState.Action?)])
  func actions(_ key: Key, _ action: TopState.Action?) throws {
    var state = try Self.shown()
    #expect(state.press(key) == action)
  }

  @Test("the help key and Escape close the help, and Escape then does not quit")
  func help() throws {
    var state = try Self.shown()
    _ = state.press(key("h"))
    #expect(state.showsHelp)
    #expect(state.press(.leave) == nil && !state.showsHelp)
    _ = state.press(key("?"))
    _ = state.press(key("h"))
    #expect(!state.showsHelp)
  }

  @Test("methods without requests are hidden, the chosen column orders the others, and r reverses the order")
  func order() throws {
    var state = try Self.shown()
    #expect(state.methods.map(\.name) == ["a.quick", "b.slow"])
    _ = state.press(key("r"))
    #expect(state.methods.map(\.name) == ["b.slow", "a.quick"])
    _ = state.press(key("r"))
    _ = state.press(key("s"))
    #expect(state.methodOrder.column == .refused && state.methods.map(\.name) == ["b.slow", "a.quick"])
    for _ in 0..<2 { _ = state.press(.edit(.right)) }
    #expect(state.methodOrder.column == .p99 && state.methods.map(\.name) == ["b.slow", "a.quick"])
    for _ in 0..<4 { _ = state.press(.edit(.left)) }
    #expect(state.methodOrder.column == .name && state.methods.map(\.name) == ["a.quick", "b.slow"])
    _ = state.press(key("r"))
    #expect(state.methods.map(\.name) == ["b.slow", "a.quick"])
    _ = state.press(key("S"))
    #expect(state.methodOrder.column == .total)
  }

  @Test("methods of about the same rate are ordered by their totals")
  func steady() throws {
    var state = TopState(socket: "s", period: 2)
    state.take(try #require(Readings.snapshot(at: 0, ["a": (0, 0, []), "b": (5000, 0, [])])))
    state.take(try #require(Readings.snapshot(at: 1, ["a": (1001, 0, []), "b": (6000, 0, [])])))
    #expect(state.methods.map(\.name) == ["b", "a"])
    state.take(try #require(Readings.snapshot(at: 2, ["a": (2201, 0, []), "b": (7000, 0, [])])))
    #expect(state.methods.map(\.name) == ["a", "b"])
  }

  @Test("the order keys apply to the users after u, and to the methods after another u")
  func users() throws {
    var state = try Self.shown()
    #expect(state.users.map(\.user.uid) == [2, 1])
    state.names = [1: "zoe", 2: "ada"]
    _ = state.press(key("u"))
    _ = state.press(key("S"))
    #expect(state.userOrder.column == .name && state.users.map(\.user.uid) == [2, 1])
    _ = state.press(key("r"))
    #expect(state.users.map(\.user.uid) == [1, 2])
    #expect(state.methodOrder == Sorting(.rate))
    _ = state.press(key("u"))
    #expect(state.focus == .methods)
  }

  @Test("a paused screen does not change, and shows only the last interval when it resumes")
  func pause() throws {
    var state = try Self.shown()
    let before = state.interval
    _ = state.press(key("p"))
    state.take(try #require(Readings.snapshot(at: 4, uptime: 104, ["a.quick": (1025, 0, [])])))
    #expect(state.interval == before)
    _ = state.press(key(" "))
    state.take(try #require(Readings.snapshot(at: 5, uptime: 105, ["a.quick": (1030, 0, [])])))
    #expect(state.interval?.rate == 5 && state.history.last == 5)
  }

  @Test("the first snapshot after a restart of regd is not an interval, so that no count is negative")
  func lost() throws {
    var state = try Self.shown()
    state.lose("regd closed the connection", retrySeconds: 1)
    #expect(state.link == .lost(reason: "regd closed the connection", retrySeconds: 1))
    #expect(state.interval != nil, "the last numbers stay on the screen")
    state.take(try #require(Readings.snapshot(at: 9, uptime: 1, ["a.quick": (1, 0, [])])))
    #expect(state.link == .live && state.interval == nil)
    state.take(try #require(Readings.snapshot(at: 10, uptime: 2, ["a.quick": (3, 0, [])])))
    #expect(state.interval?.rate == 2)
  }

  @Test("the interval doubles and halves between its bounds")
  func period() throws {
    var state = try Self.shown(1)
    for _ in 0..<10 { _ = state.press(key("+")) }
    #expect(state.period == 60)
    for _ in 0..<20 { _ = state.press(key("-")) }
    #expect(state.period == 0.5)
    #expect(TopState(socket: "", period: 1000).period == 60 && TopState(socket: "", period: -1).period == 0.5)
  }

  @Test("scrolling ends at the first row and at the last page")
  func scrolling() throws {
    var state = try Self.shown()
    _ = state.press(.previous)
    #expect(state.offset == 0)
    for _ in 0..<9 { _ = state.press(.next) }
    state.limitOffset(to: 3)
    #expect(state.offset == 3)
    _ = state.press(key("k"))
    #expect(state.offset == 2)
    _ = state.press(.edit(.home))
    #expect(state.offset == 0)
  }

  @Test("the lists of events and of past rates have a maximum length")
  func bounds() throws {
    var state = try Self.shown()
    for number in 0..<1000 {
      state.take(event: "event \(number)")
      state.take(try #require(Readings.snapshot(at: Double(number + 10), uptime: 200, [:])))
    }
    #expect(state.events.count == 50 && state.events.last == "event 999")
    #expect(state.history.count == 200)
  }
}
