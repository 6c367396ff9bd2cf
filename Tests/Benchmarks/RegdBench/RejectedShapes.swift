internal import Linux
internal import RegdClient
internal import RegdProcesses

/// Part of `regd-bench conceal`: whether the time or the answer reveals why an invitation is rejected.
///
/// The baseline is two samples of codes that never existed.
struct RejectedShapes {
  private enum Kind: String, CaseIterable { case unknown, alsoUnknown, malformed, usedUp, expired, revoked, ofAnother }

  private let client: RegdClient
  private let codes: [Kind: String]

  static func measure(_ products: String, rounds: Int) throws {
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/regd.yaml"
      try FileWriting.write(
        """
        socket: {path: \(directory)/s, group: ""}
        registration: {mode: invited}
        store: {backend: sqlite, sqlite: {path: \(directory)/regd.db}}
        log: {level: error}
        """, to: path)
      let regd = try RegdProcess(
        program: "\(products)/regd", arguments: ["--config", path], environment: [:], directory: directory)
      defer { regd.end() }
      try RejectedShapes(try RegdClient(path: "\(directory)/s")).measure(rounds)
    }
  }

  private init(_ client: RegdClient) throws {
    func invitation(_ params: JSONValue) throws -> (id: String, code: String) {
      let made = try client.call("invitation.create", params).get()
      return (made["invitation"]?["id"]?.string ?? "", made["code"]?.string ?? "")
    }
    self.client = client
    let usedUp = try invitation(["uses": .number("1")]).code
    _ = try client.call("registration.register", Self.entry("used@example.com", usedUp)).get()
    let expired = try invitation(["expiresSeconds": .number("1")]).code
    let revoked = try invitation(["uses": .number("1")])
    _ = try client.call("invitation.revoke", ["id": .string(revoked.id)]).get()
    codes = [
      .unknown: "00000000000000000000000001", .alsoUnknown: "00000000000000000000000002", .malformed: "no code",
      .usedUp: usedUp, .expired: expired, .revoked: revoked.code,
      .ofAnother: try invitation(["email": "another@example.com"]).code,
    ]
    ThisThread.sleep(for: .milliseconds(1100))
  }

  private static func entry(_ email: String, _ code: String) -> JSONValue {
    [
      "email": .string(email), "password": "a fine phrase", "passwordConfirmation": "a fine phrase",
      "invitation": .string(code),
    ]
  }

  private func measure(_ rounds: Int) throws {
    var (times, answers): ([Kind: [Double]], Set<String>) = ([:], [])
    for number in 0..<rounds {
      for kind in Kind.allCases.shuffled() {
        let entry = Self.entry("\(100_000 + number)@example.com", codes[kind] ?? "")
        let start = ContinuousClock.now
        let answer = try client.call("registration.register", entry)
        times[kind, default: []].append((ContinuousClock.now - start) / .milliseconds(1))
        guard case .failure(let error) = answer, error.reason == "invitation.rejected" else {
          throw Load.Failed(description: "\(kind): \(answer)")
        }
        answers.insert("\(error)")
      }
    }
    let unknown = times[.unknown] ?? []
    print("registration.register with a code that is rejected, \(rounds) of each kind")
    print("  never made, median                  \(RegdBench.decimal(RegdBench.median(unknown), 3)) ms")
    for kind in Kind.allCases.dropFirst() {
      let own = times[kind] ?? []
      let name = kind == .alsoUnknown ? "never made: the floor" : kind.rawValue
      print(
        "  \(name) / never made, medians: \(RankTest.ratio(own, unknown)), Mann-Whitney \(RankTest.sigmas(own, unknown))"
      )
    }
    print("  (aim: less than 2.6 standard deviations, which chance alone passes once in a hundred runs of one kind)")
    print("  the answers                         \(answers.count == 1 ? "the same" : "not the same: \(answers)")")
  }
}
