internal import RegctlCommandLine
internal import RegdClient

/// Collects records, and sends them to regd in calls of `account.import`.
struct ImportBatch<Place> {
  struct Answer {
    fileprivate(set) var imported = 0
    fileprivate(set) var refused: [(place: Place, reason: String, message: String)] = []
  }

  private let client: RegdClient
  /// Further connections for `sendAhead`, used in turn, so that regd reads one call while it writes the records of another.
  private let ahead: [RegdClient]
  private var records: [JSONValue] = []
  private var places: [Place] = []
  private var bytes = 0
  /// Calls that `sendAhead` has sent and regd has not answered yet, the oldest first.
  private var inFlight: [(client: RegdClient, call: RegdClient.BegunCall, records: [JSONValue], places: [Place])] = []
  private var sent = 0

  private let recordsAtOnce: Int
  /// The most bytes of records in one call: well below the default limit of a message.
  private static var bytesAtOnce: Int { 400_000 }

  /// - Parameters:
  ///   - ahead: Further connections to the same regd, for `sendAhead` only.
  ///   - recordsAtOnce: The records per call, which is one transaction of the store. The number is large enough to make
  ///     a sync worthwhile, and small enough not to delay other callers. regd accepts at most 1000 per call.
  init(client: RegdClient, ahead: [RegdClient] = [], recordsAtOnce: Int = 500) {
    (self.client, self.ahead, self.recordsAtOnce) = (client, ahead, recordsAtOnce)
  }

  var isEmpty: Bool { records.isEmpty }
  var isFull: Bool { records.count >= recordsAtOnce || bytes >= Self.bytesAtOnce }
  var lastPlace: Place? { places.last }

  /// - Parameters:
  ///   - place: Returned in the answer if regd refuses the record.
  ///   - bytes: The record's estimated size in a message.
  mutating func add(_ record: JSONValue, _ place: Place, bytes: Int) {
    records.append(record)
    places.append(place)
    self.bytes += bytes
  }

  /// Sends the collected records, waits for regd's answer, and forgets the records.
  ///
  /// - Throws: `RegdError` if regd refuses the call, `RegdClientFailure` without an answer. The records are then kept.
  mutating func send() throws -> Answer {
    var answer = Answer()
    try send(records[...], places[...], &answer)
    (records, places, bytes) = ([], [], 0)
    return answer
  }

  /// Sends the collected records without waiting for the answer, so that regd works while the caller reads on. Waits
  /// only for the oldest answer, if every connection has a call in flight.
  ///
  /// - Returns: The answers to earlier calls.
  /// - Throws: The errors of `send`, but about earlier calls.
  mutating func sendAhead() throws -> Answer {
    var answer = Answer()
    guard !records.isEmpty else { return answer }
    if inFlight.count >= ahead.count { try takeOldest(&answer) }
    let client = ahead[sent % ahead.count]
    sent += 1
    inFlight.append((client, client.begin(Self.method, Self.params(records[...])), records, places))
    (records, places, bytes) = ([], [], 0)
    return answer
  }

  /// Waits for the answer to the oldest call in flight, which then counts as ended, whether or not it was answered.
  ///
  /// - Returns: Nil if no call is in flight.
  mutating func takeAnswer() throws -> Answer? {
    guard !inFlight.isEmpty else { return nil }
    var answer = Answer()
    try takeOldest(&answer)
    return answer
  }

  var isInFlight: Bool { !inFlight.isEmpty }

  private mutating func takeOldest(_ answer: inout Answer) throws {
    let sent = inFlight.removeFirst()
    try take(try sent.client.end(sent.call), sent.records[...], sent.places[...], &answer)
  }

  private static var method: String { "account.import" }

  private static func params(_ records: ArraySlice<JSONValue>) -> JSONValue { ["records": .array(Array(records))] }

  /// Sends the records, in halves if regd refuses the message as too large.
  private func send(
    _ records: ArraySlice<JSONValue>, _ places: ArraySlice<Place>, _ answer: inout Answer
  ) throws {
    guard !places.isEmpty else { return }
    try take(try client.call(Self.method, Self.params(records)), records, places, &answer)
  }

  private func take(
    _ result: Result<JSONValue, RegdError>, _ records: ArraySlice<JSONValue>, _ places: ArraySlice<Place>,
    _ answer: inout Answer
  ) throws {
    switch result {
    case .failure(let error) where error.reason == "request.tooLarge" && records.count > 1:
      let half = records.count / 2
      try send(records.prefix(half), places.prefix(half), &answer)
      try send(records.dropFirst(half), places.dropFirst(half), &answer)
    case .failure(let error) where error.reason == "request.tooLarge":
      answer.refused += places.map { ($0, error.reason, error.message) }
    case .failure(let error):
      throw error
    case .success(let result):
      answer.imported += result["imported"]?.integer ?? 0
      for refusal in result["refused"]?.array ?? [] {
        guard let index = refusal["index"]?.integer, index < places.count else { continue }
        answer.refused.append(
          (places[places.startIndex + index], refusal.shown("reason"), refusal.shown("message")))
      }
    }
  }
}
