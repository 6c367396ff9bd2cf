internal import RegdClient

/// Records that go to regd in one call.
struct ImportBatch<Place> {
  struct Answer {
    /// How many are there now.
    fileprivate(set) var imported = 0
    fileprivate(set) var refused: [(place: Place, reason: String, message: String)] = []
  }

  private let client: RegdClient
  private var records: [JSONValue] = []
  private var places: [Place] = []
  private var bytes = 0
  /// What was sent and is not answered yet.
  private var underWay: (records: [JSONValue], places: [Place]) = ([], [])

  /// A call is one transaction of the store: large enough to make its sync cheap, small enough not to hold up other callers.
  private static var recordsAtOnce: Int { 500 }
  /// Well below the default limit of a message.
  private static var bytesAtOnce: Int { 400_000 }

  init(client: RegdClient) { self.client = client }

  var isEmpty: Bool { records.isEmpty }
  var isFull: Bool { records.count >= Self.recordsAtOnce || bytes >= Self.bytesAtOnce }
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

  /// Waits for the answer to what the last call has sent, and sends what was added since: regd works on it while the caller reads on.
  ///
  /// - Returns: What regd has said of what the last call has sent.
  /// - Throws: As `send`, of what the last call has sent.
  mutating func sendAhead() throws -> Answer {
    let answer = try takeAnswer()
    underWay = (records, places)
    (records, places, bytes) = ([], [], 0)
    if !underWay.records.isEmpty { client.begin(Self.method, Self.params(underWay.records[...])) }
    return answer
  }

  /// Waits for the answer to what `sendAhead` has sent; nothing is under way then.
  mutating func takeAnswer() throws -> Answer {
    var answer = Answer()
    let sent = underWay
    underWay = ([], [])
    if !sent.records.isEmpty { try take(try client.end(), sent.records[...], sent.places[...], &answer) }
    return answer
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
