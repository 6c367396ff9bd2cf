internal import RegdClient

/// Records that go to regd in one call.
struct ImportBatch<Place> {
  struct Answer {
    /// How many are there now.
    fileprivate(set) var imported = 0
    fileprivate(set) var refused: [(place: Place, reason: String, message: String)] = []
  }

  private let client: RegdClient
  /// For what is sent ahead, in turn: regd reads one call while it writes what another one has brought.
  private let ahead: [RegdClient]
  private var records: [JSONValue] = []
  private var places: [Place] = []
  private var bytes = 0
  /// What was sent ahead and is not answered yet, the oldest first.
  private var underWay: [(client: RegdClient, call: RegdClient.BegunCall, records: [JSONValue], places: [Place])] = []
  private var sent = 0

  private let recordsAtOnce: Int
  /// Well below the default limit of a message.
  private static var bytesAtOnce: Int { 400_000 }

  /// - Parameters:
  ///   - ahead: Further connections to the same regd, for `sendAhead` alone.
  ///   - recordsAtOnce: A call is one transaction of the store: large enough to make its sync cheap, small enough not to hold up other
  ///     callers. 1000 is what a call may have.
  init(client: RegdClient, ahead: [RegdClient] = [], recordsAtOnce: Int = 500) {
    (self.client, self.ahead, self.recordsAtOnce) = (client, ahead, recordsAtOnce)
  }

  var isEmpty: Bool { records.isEmpty }
  var isFull: Bool { records.count >= recordsAtOnce || bytes >= Self.bytesAtOnce }
  var lastPlace: Place? { places.last }

  /// - Parameters:
  ///   - place: Where the record stands, for what regd says of it.
  ///   - bytes: About how many bytes it takes in a message.
  mutating func add(_ record: JSONValue, _ place: Place, bytes: Int) {
    records.append(record)
    places.append(place)
    self.bytes += bytes
  }

  /// Sends what was added, and forgets it.
  ///
  /// - Throws: `Refusal` where regd refuses the call, `RegdClientFailure` without an answer; what was sent in vain stays.
  mutating func send() throws -> Answer {
    var answer = Answer()
    try send(records[...], places[...], &answer)
    (records, places, bytes) = ([], [], 0)
    return answer
  }

  /// Sends what was added, and does not wait for its answer unless as much is under way as there are connections: regd works while the
  /// caller reads on.
  ///
  /// - Returns: What regd has said of what was sent before.
  /// - Throws: As `send`, of what was sent before.
  mutating func sendAhead() throws -> Answer {
    var answer = Answer()
    guard !records.isEmpty else { return answer }
    if underWay.count >= ahead.count { try takeOldest(&answer) }
    let client = ahead[sent % ahead.count]
    sent += 1
    underWay.append((client, client.begin(Self.method, Self.params(records[...])), records, places))
    (records, places, bytes) = ([], [], 0)
    return answer
  }

  /// Waits for the answer to what was sent ahead first, which is under way no more afterwards, whether or not it was answered.
  ///
  /// - Returns: Nil where nothing is under way.
  mutating func takeAnswer() throws -> Answer? {
    guard !underWay.isEmpty else { return nil }
    var answer = Answer()
    try takeOldest(&answer)
    return answer
  }

  var isUnderWay: Bool { !underWay.isEmpty }

  private mutating func takeOldest(_ answer: inout Answer) throws {
    let sent = underWay.removeFirst()
    try take(try sent.client.end(sent.call), sent.records[...], sent.places[...], &answer)
  }

  private static var method: String { "account.import" }

  private static func params(_ records: ArraySlice<JSONValue>) -> JSONValue { ["records": .array(Array(records))] }

  /// Sends the records; in halves where regd refuses the message as too large.
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
      throw Refusal(message: ConnectionOptions.describe(error), source: error.source)
    case .success(let result):
      answer.imported += result["imported"]?.integer ?? 0
      for refusal in result["refused"]?.array ?? [] {
        guard let index = refusal["index"]?.integer, index < places.count else { continue }
        answer.refused.append(
          (
            places[places.startIndex + index], refusal["reason"]?.string ?? "?", refusal["message"]?.string ?? "?"
          ))
      }
    }
  }
}
