internal import JSONRPC
internal import Registration
internal import WireProtocols

/// The numbers of the last event. They start at 1 when the daemon starts. Observers have separate numbers, which do not
/// count events that only administrators see. A gap therefore always means missed events.
struct EventNumbers: Sendable {
  private var ofAdministrators = 0
  private var ofObservers = 0

  mutating func count(_ event: Event) {
    ofAdministrators += 1
    if event.access == .observe { ofObservers += 1 }
  }

  func number(for access: Access) -> Int { access == .admin ? ofAdministrators : ofObservers }
}

/// An event that waits to be encoded.
struct QueuedEvent: Sendable {
  /// Nil for any number of events that were dropped because too many waited, and for none.
  let event: Event?
  /// The numbers before the event, or before the first of the dropped events.
  let before: EventNumbers
  /// The numbers of the event, or of the last of the dropped events.
  var last: EventNumbers
  var time: Timestamp
  /// Called with the number of subscribers that get the event.
  let delivered: (@Sendable (Int) -> Void)?

  /// Whether a caller of the class sees the event, or one of the dropped events.
  ///
  /// - Parameter begin: The numbers when the caller subscribed. It sees only later events.
  func isSeen(by access: Access, after begin: EventNumbers) -> Bool {
    last.number(for: access) > max(before.number(for: access), begin.number(for: access))
  }
}

/// Some events in order, with their notifications. Each event is encoded at most twice: for administrators and for
/// observers, when the first of them needs it.
struct EventBatch {
  let events: [QueuedEvent]
  private var ofAdministrators: [[UInt8]?]
  private var ofObservers: [[UInt8]?]
  /// How many subscribers get each event.
  private var counts: [Int]

  init(_ events: ArraySlice<QueuedEvent>) {
    self.events = Array(events)
    ofAdministrators = Array(repeating: nil, count: events.count)
    ofObservers = Array(repeating: nil, count: events.count)
    counts = Array(repeating: 0, count: events.count)
  }

  /// The notifications of the events that a caller of the class sees, with their places in `events`. They end before the
  /// first dropped events, at the place `end`.
  mutating func notifications(
    for access: Access, after begin: EventNumbers
  ) -> (places: [Int], texts: [[UInt8]], end: Int) {
    var places: [Int] = []
    var texts: [[UInt8]] = []
    var end = 0
    while end < events.count {
      if events[end].isSeen(by: access, after: begin) {
        guard let event = events[end].event else { break }
        places.append(end)
        texts.append(text(of: event, at: end, for: access))
      }
      end += 1
    }
    return (places, texts, end)
  }

  private mutating func text(of event: Event, at place: Int, for access: Access) -> [UInt8] {
    let isAdministrator = access == .admin
    if let made = isAdministrator ? ofAdministrators[place] : ofObservers[place] { return made }
    let sequence = events[place].last.number(for: access)
    let text = Session.text("events.happened") { writer in
      event.write(sequence: sequence, withAddresses: isAdministrator, to: &writer)
    }
    if isAdministrator { ofAdministrators[place] = text } else { ofObservers[place] = text }
    return text
  }

  /// The events from `place` on that a caller of the class sees: how many they are, and the number and the time of the
  /// last one. Nil if there are none.
  func seen(
    from place: Int, by access: Access, after begin: EventNumbers
  ) -> (count: Int, last: Int, time: Timestamp)? {
    guard let end = events[place...].last(where: { $0.isSeen(by: access, after: begin) }) else { return nil }
    let before = max(events[place].before.number(for: access), begin.number(for: access))
    let last = end.last.number(for: access)
    return (last - before, last, end.time)
  }

  /// Notes that one more subscriber gets the events at these places.
  mutating func count(_ places: ArraySlice<Int>) {
    for place in places { counts[place] += 1 }
  }

  /// Reports how many subscribers get each event.
  func end() {
    for (queued, count) in zip(events, counts) { queued.delivered?(count) }
  }
}
