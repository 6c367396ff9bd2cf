internal import RegdClient

/// `session.check`, which a front end calls before each page, compared with `registration.checkEmail`: both look up one
/// account.
enum SessionShapes {
  static func measure(socket: String) throws {
    let client = try RegdClient(path: socket)
    let (email, password) = ("session@example.com", "a fine phrase")
    let entry = RegdClient.entry(email: email, password: password, confirmation: password)
    let registered = try client.call("registration.register", entry).get()
    guard let account = registered["account"]?["id"], let stamp = registered["stamp"] else {
      throw Load.Failed(description: "registration.register gave no stamp")
    }
    let calls: [(method: String, params: JSONValue)] = [
      ("registration.checkEmail", ["email": .string(email)]), ("session.check", ["account": account, "stamp": stamp]),
    ]
    var rounds: [[Latencies]] = []
    for _ in 0..<RegdBench.rounds {
      rounds.append(try calls.map { try latencies(of: client, $0.method, $0.params) })
    }
    for percent in [50, 99] {
      let (free, check) = (0, 1)
      func median(_ call: Int) -> Double { RegdBench.median(rounds.map { $0[call].percentile(percent) }) }
      let ratio = RegdBench.median(rounds.map { $0[check].percentile(percent) / $0[free].percentile(percent) })
      print(
        "session.check / registration.checkEmail, p\(percent): \(RegdBench.decimal(ratio, 2)) (aim 1.5 or less;"
          + " \(RegdBench.decimal(median(check), 1)) us beside \(RegdBench.decimal(median(free), 1)) us)")
    }
  }

  private static func latencies(of client: RegdClient, _ method: String, _ params: JSONValue) throws -> Latencies {
    var latencies = Latencies()
    let end = ContinuousClock.now + .seconds(2)
    while true {
      let start = ContinuousClock.now
      _ = try client.call(method, params).get()
      let now = ContinuousClock.now
      latencies.add((now - start).seconds * 1e6)
      if now >= end { return latencies }
    }
  }
}
