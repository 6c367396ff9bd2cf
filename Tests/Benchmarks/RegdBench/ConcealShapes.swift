internal import Glibc
internal import Linux
internal import RegdClient
internal import RegdProcesses

/// `regd-bench conceal`: whether a caller can distinguish an address with an account from an address without one, by
/// the time or the bytes of `registration.register` and `recovery.start` with `registration.conceal`.
///
/// The baseline is the difference between two samples of free addresses in the same run. Each address is used once, so
/// that no limit of mails and claims for one address applies.
struct ConcealShapes {
  private let connection: RegdConnection
  private var answers: [Kind: Set<Int>] = [:]

  private enum Kind: Int, CaseIterable { case free, taken, alsoFree }

  /// Milliseconds, by kind.
  private typealias Times = [Kind: [Double]]

  static func measure(_ products: String, rounds: Int) throws {
    for method in ["registration.register", "recovery.start"] {
      try TemporaryDirectory.with { directory in
        let regd = try RegdProcess(
          program: "\(products)/regd", arguments: ["--config", try configuration(directory)], environment: [:],
          directory: directory)
        defer { regd.end() }
        try importAccounts("\(directory)/s", count: rounds)
        var shapes = ConcealShapes(connection: try RegdConnection(path: "\(directory)/s", timeoutSeconds: 60))
        try shapes.measure(method, rounds)
      }
    }
    try RejectedShapes.measure(products, rounds: rounds)
  }

  private static func configuration(_ directory: String) throws -> String {
    let path = "\(directory)/regd.yaml"
    try FileWriting.write(
      """
      socket: {path: \(directory)/s, group: ""}
      registration: {verification: required, conceal: true}
      mail: {backend: scripted, from: regd@example.com}
      store: {backend: sqlite, sqlite: {path: \(directory)/regd.db}}
      log: {level: error}
      """, to: path)
    return path
  }

  /// Addresses have the same length, so that answers have the same length.
  private static func email(_ kind: Kind, _ number: Int) -> String {
    "\(kind.rawValue)\(100_000 + number)@example.com"
  }

  private static func importAccounts(_ socket: String, count: Int) throws {
    let client = try RegdClient(path: socket)
    let hash = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$" + String(repeating: "A", count: 43)
    for start in stride(from: 0, to: count, by: 100) {
      let records = (start..<min(count, start + 100)).map { number -> JSONValue in
        ["email": .string(email(.taken, number)), "passwordHash": .string(hash)]
      }
      _ = try client.call("account.import", ["records": .array(records)]).get()
    }
  }

  private mutating func measure(_ method: String, _ rounds: Int) throws {
    var times: Times = [:]
    for number in 0..<rounds {
      // in random order, so that later work of a call, such as a mail, affects all kinds equally
      for kind in Kind.allCases.shuffled() {
        let start = ContinuousClock.now
        try call(method, kind, number)
        times[kind, default: []].append((ContinuousClock.now - start) / .milliseconds(1))
      }
    }
    let (free, taken, alsoFree) = (times[.free] ?? [], times[.taken] ?? [], times[.alsoFree] ?? [])
    print("\(method) with conceal, \(rounds) addresses of each kind")
    let median = RegdBench.median(free)
    print("  free, median                        \(RegdBench.decimal(median, 3)) ms")
    print(
      "  taken / free, medians               \(RankTest.ratio(taken, free)), Mann-Whitney \(RankTest.sigmas(taken, free))"
    )
    print(
      "  free / free: the floor              \(RankTest.ratio(alsoFree, free)), Mann-Whitney \(RankTest.sigmas(alsoFree, free))"
    )
    print("  (aim: less than 2.6 standard deviations, which chance alone passes once in a hundred runs)")
    let isSame = Set(answers.values).count == 1
    print("  bytes of the answers                \(isSame ? "the same" : "not the same"): \(lengths)")
  }

  private var lengths: String {
    Kind.allCases.map { "\($0) \((answers[$0] ?? []).sorted())" }.joined(separator: ", ")
  }

  private mutating func call(_ method: String, _ kind: Kind, _ number: Int) throws {
    let password =
      method == "registration.register" ? #","password":"a fine phrase","passwordConfirmation":"a fine phrase""# : ""
    try connection.send(
      #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{"email":"\#(Self.email(kind, number))"\#(password)}}"#)
    guard let line = try connection.receiveLine(), String(decoding: line, as: UTF8.self).contains(#""claim":"#) else {
      throw Load.Failed(description: "\(method) gave no claim")
    }
    answers[kind, default: []].insert(line.count)
  }
}
