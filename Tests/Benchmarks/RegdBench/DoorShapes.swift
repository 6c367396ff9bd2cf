internal import Linux
internal import RegdClient
internal import RegdProcesses
internal import WireFormats

/// `regd-bench doors`: correct sign-ins per second through each door, compared with `session.signIn` on regd's own
/// socket.
///
/// The configuration accepts no cheaper hash than this one, which still takes most of a sign-in's time. So the
/// benchmark also measures the processor time of the threads that do not hash: this is the cost of a door. Requests
/// that need no hash are also compared with `account.get`.
enum DoorShapes {
  private static let (memoryKiB, passes) = (7_168, 5)
  /// One account for each concurrent question, because guesses at one account with one password share a hash.
  private static let accounts = 64
  private static let password = "a fine phrase"
  private static func email(_ account: Int) -> String { "name\(account)@example.com" }

  /// The rate of one round. `own` is processor time per question in microseconds, of all threads except hashing
  /// threads.
  private typealias Rate = (perSecond: Double, own: Double)

  static func measure(_ products: String) throws {
    try TemporaryDirectory.with { directory in
      let regd = try RegdProcess(
        program: "\(products)/regd", arguments: ["--config", try configuration(directory)], environment: [:],
        directory: directory)
      defer { regd.end() }
      let client = try RegdClient(path: "\(directory)/s")
      for account in 0..<accounts {
        let entry = RegdClient.entry(email: email(account), password: password, confirmation: password)
        _ = try client.call("registration.register", entry).get()
      }
      var rounds: [[Rate]] = programs.map { _ in [] }
      // in turn, so that drift of the machine affects all programs
      for _ in 0..<RegdBench.rounds {
        for (index, program) in programs.enumerated() {
          rounds[index].append(try rate(of: program, "\(directory)/\(program.door)", regd.pid))
        }
      }
      tell(rounds)
    }
  }

  private static func configuration(_ directory: String) throws -> String {
    let doors = ["saslauthd", "dovecot", "http", "socketmap", "ldap", "jsonrpc"]
      .map { "  \($0): {protocol: \($0), path: \(directory)/\($0), domain: example.com}\n" }
    try FileWriting.write(
      """
      socket: {path: \(directory)/s, group: ""}
      hashing: {memoryKiB: \(memoryKiB), passes: \(passes)}
      store: {backend: sqlite, sqlite: {path: \(directory)/regd.db}}
      log: {level: error}
      doors:
        memory: {protocol: http, path: \(directory)/memory, memorySeconds: 60}
      \(doors.joined())
      """, to: "\(directory)/regd.yaml")
    return "\(directory)/regd.yaml"
  }

  private static func rate(of program: DoorProgram, _ socket: String, _ pid: Int32) throws -> Rate {
    let callers = try (0..<program.connections).map { try DoorCaller(program, socket, connection: $0) }
    func run(for seconds: Double) throws -> Rate {
      let (start, before) = (ContinuousClock.now, try ownMicroseconds(of: pid))
      var (answers, passed) = (0, 0.0)
      while passed < seconds {
        // each caller waits while the questions of the others are answered
        answers += try callers.reduce(0) { try $0 + $1.turn() }
        passed = (ContinuousClock.now - start).seconds
      }
      return (Double(answers) / passed, (try ownMicroseconds(of: pid) - before) / Double(answers))
    }
    _ = try run(for: 0.5)  // until passwords are remembered
    return try run(for: 2)
  }

  private static func ownMicroseconds(of pid: Int32) throws -> Double {
    try FileSystem.names(in: "/proc/\(pid)/task").reduce(0) { sum, thread in
      guard let name = try? FileReading.text("/proc/\(pid)/task/\(thread)/comm"), !name.hasPrefix("regd-hash"),
        let text = try? FileReading.text("/proc/\(pid)/task/\(thread)/schedstat"),
        let nanoseconds = Double(text.prefix { $0 != " " })
      else { return sum }  // the thread has ended since it was listed
      return sum + nanoseconds / 1000
    }
  }

  private static func tell(_ rounds: [[Rate]]) {
    func row(_ texts: [String]) {
      print(zip(texts, [30, 10, 11, 16, 15]).map { String(repeating: " ", count: $1 - $0.count) + $0 }.joined())
    }
    print("\(RegdBench.cores) cores; Argon2id m=\(memoryKiB) t=\(passes); medians of \(RegdBench.rounds) rounds")
    row(["(aim: with a memory 20 000)", "a second", "of signIn", "of account.get", "own us each"])
    for (program, rates) in zip(programs, rounds) {
      func median(_ values: [Double], _ places: Int) -> String { RegdBench.decimal(RegdBench.median(values), places) }
      let ratios = rounds.prefix(2).map { floor in median(zip(rates, floor).map { $0.perSecond / $1.perSecond }, 2) }
      row([
        program.title, median(rates.map(\.perSecond), 0), ratios[0], program.hashes ? "" : ratios[1],
        median(rates.map(\.own), 1),
      ])
    }
  }

  /// The first two are the baselines.
  private static let programs = [
    DoorProgram(title: "socket, session.signIn", door: "s", end: "\n", right: result, question: signIn),
    DoorProgram(title: "socket, account.get", door: "s", hashes: false, end: "\n", right: result) { account, _ in
      json("account.get", #"{"email":"\#(email(account))"}"#)
    },
    DoorProgram(
      title: "saslauthd, a connection each", door: "saslauthd", isConnectionEach: true, end: "", right: (2, "OK")
    ) { account, _ in [email(account), password, "imap", ""].flatMap { [0, UInt8($0.utf8.count)] + Array($0.utf8) } },
    DoorProgram(
      title: "dovecot, 1 connection x 64", door: "dovecot", connections: 1, inFlight: 64,
      hello: "VERSION\t1\t2\nCPID\t1\n", end: "\n", right: (0, "OK\t")
    ) { account, number in
      let response = Base64.encoded("\0\(email(account))\0\(password)".utf8)
      return Array("AUTH\t\(number)\tPLAIN\tservice=smtp\tresp=\(response)\n".utf8)
    },
    DoorProgram(title: "http", door: "http", end: "\r\n\r\n", right: ok, question: basic),
    DoorProgram(
      title: "http with a memory", door: "memory", hashes: false, end: "\r\n\r\n", right: ok, question: basic),
    DoorProgram(title: "socketmap, accounts", door: "socketmap", hashes: false, end: ",", right: (3, "OK ")) {
      account, _ in Array("\(9 + email(account).utf8.count):accounts \(email(account)),".utf8)
    },
    // a message with the answer to a bind, whose code comes first
    DoorProgram(title: "ldap, simple binds", door: "ldap", end: "", right: (7, "\n\u{1}\0")) { account, _ in
      func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }
      let bind = [2, 1, 3] + element(4, Array(email(account).utf8)) + element(0x80, Array(password.utf8))
      return element(0x30, [2, 1, 1] + element(0x60, bind))
    },
    DoorProgram(title: "jsonrpc, session.signIn", door: "jsonrpc", end: "\n", right: result, question: signIn),
  ]

  private static let result = (offset: 0, text: #"{"jsonrpc":"2.0","id":1,"result""#)
  private static let ok = (offset: 0, text: "HTTP/1.1 200")

  private static func signIn(_ account: Int, _: Int) -> [UInt8] {
    json("session.signIn", #"{"email":"\#(email(account))","password":"\#(password)"}"#)
  }

  private static func json(_ method: String, _ params: String) -> [UInt8] {
    Array(#"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#.utf8) + [10]
  }

  private static func basic(_ account: Int, _: Int) -> [UInt8] {
    let line = "Authorization: Basic \(Base64.encoded("\(email(account)):\(password)".utf8))"
    return Array("GET / HTTP/1.1\r\nHost: localhost\r\n\(line)\r\n\r\n".utf8)
  }
}
