internal import MovingIn
internal import RegdClient
internal import Registration
internal import Sentences

/// What an import from another system has met.
struct ImportTally {
  /// Records that are accounts which regd may take.
  private(set) var accounts = 0
  /// Those that regd has now.
  var imported = 0
  var refused = 0
  /// Records about something else than an account.
  var passedOver = 0
  private var states: [String: Int] = [:]
  private var families: [String: Int] = [:]

  /// Also for programs, with --json.
  private static let unknownFamily = "unknown"

  mutating func count(_ account: ForeignAccount) {
    accounts += 1
    states[account.state.rawValue, default: 0] += 1
    families[HashFamily.name(account.passwordHash) ?? Self.unknownFamily, default: 0] += 1
  }

  func lines(isDry: Bool) -> [String] {
    var lines = [
      isDry
        ? Speech.text(ForeignSentence.wouldImport, ["count": .number(accounts), "refused": .number(refused)])
        : Speech.text(MovingSentence.imported, ["imported": .number(imported), "refused": .number(refused)])
    ]
    if passedOver > 0 {
      lines.append(Speech.text(ForeignSentence.passedOver, ["count": .number(passedOver)]))
    }
    for counts in [states, families] {
      lines += counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "  \($0.key): \($0.value)" }
    }
    return lines
  }

  /// - Returns: An object; `imported` is absent where nothing was sent.
  func json(isDry: Bool) -> JSONValue {
    func object(_ counts: [String: Int]) -> JSONValue {
      .object(counts.sorted { $0.key < $1.key }.map { .init($0.key, .number("\($0.value)")) })
    }
    var members: [JSONValue.Member] = [.init("accounts", .number("\(accounts)"))]
    if !isDry { members.append(.init("imported", .number("\(imported)"))) }
    return .object(
      members + [
        .init("refused", .number("\(refused)")), .init("passedOver", .number("\(passedOver)")),
        .init("states", object(states)), .init("hashes", object(families)),
      ])
  }
}
