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

  /// Sends the records; in halves where regd refuses the message as too large.
  private func send(
    _ records: ArraySlice<JSONValue>, _ places: ArraySlice<Place>, _ answer: inout Answer
  ) throws {
    guard let first = places.first else { return }
    switch try client.call("account.import", ["records": .array(Array(records))]) {
    case .failure(let error) where error.reason == "request.tooLarge" && records.count > 1:
      let half = records.count / 2
      try send(records.prefix(half), places.prefix(half), &answer)
      try send(records.dropFirst(half), places.dropFirst(half), &answer)
    case .failure(let error) where error.reason == "request.tooLarge":
      answer.refused.append((first, error.reason, error.message))
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
