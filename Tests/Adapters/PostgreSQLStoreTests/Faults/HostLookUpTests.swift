import AsyncPrimitives
import Glibc
import Linux
import Liveness
import RegdProcesses
import Registration
import StoreModels
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import PostgreSQLStore

/// Host name look-ups whose answers a test controls. One host at a time may be without an answer.
private final class StagedLookUps: Sendable {
  private let answers: Mutex<[String: [String]]>
  private let released = Semaphore()
  private let begun = Mutex<[String]>([])

  /// The hosts in the order of their look-ups.
  var asked: [String] { begun.withLock { $0 } }

  /// The look-up of any other host waits until `release`.
  init(_ answers: [String: [String]] = [:]) { self.answers = Mutex(answers) }

  var lookUps: HostLookUps {
    HostLookUps { [self] (host) throws(HostAddresses.Failure) in
      begun.withLock { $0.append(host) }
      while true {
        if let addresses = answers.withLock({ $0[host] }) { return addresses }
        released.wait()
      }
    }
  }

  func release(_ host: String, _ addresses: [String]) {
    answers.withLock { $0[host] = addresses }
    released.signal()
  }

  /// From now on, look-ups of the host wait until `release`.
  func silence(_ host: String) { answers.withLock { $0[host] = nil } }
}

@Suite(
  "Names of PostgreSQL's hosts",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct HostLookUpTests {
  private static let name = "db.example"

  private func connector(
    _ url: String, _ staged: StagedLookUps, within limit: Duration = patience
  ) throws -> Connector {
    Connector(
      address: try #require(ServerAddress(url, lookUps: staged.lookUps)), durability: .local, connectLimit: limit,
      answerLimit: patience, damage: DamageLog { _ in })
  }

  /// The database's URL with these hosts instead of its address.
  private func url(_ database: PostgreSQLDatabase, _ hosts: String...) -> String {
    let places = hosts.map { "\($0):\(database.port)" }.joined(separator: ",")
    return database.networkURL.replacing("127.0.0.1:\(database.port)", with: places) + "?sslmode=disable"
  }

  private func use(_ connector: Connector) async throws {
    let rows = try await PostgreSQL.onItsThread { try connector.connect().run("SELECT 1").count }
    #expect(rows == 1)
  }

  @Test("while DNS is silent, each connect ends in time, and all connects together look a name up once")
  func silent() async throws {
    try await withDatabase { database in
      let staged = StagedLookUps()
      let connector = try connector(url(database, Self.name), staged, within: .milliseconds(10))
      for _ in 0..<3 {
        connector.reachability.tryNow()
        let failure = try await PostgreSQL.onItsThread {
          #expect(throws: ServerFailure.self) { _ = try connector.connect() }
        }
        #expect(failure?.kind == .unresolved)
        #expect(failure?.message.contains("\"\(Self.name)\"") == true, "\(String(describing: failure))")
        #expect(failure?.storeFailure.isUnavailable == true)
      }
      while staged.asked.isEmpty { try await letOthersWork() }
      #expect(staged.asked == [Self.name])
      // the server was not even contacted: existing sessions may continue, and closing one of them would not help
      #expect(connector.reachability.failure == nil)
      #expect(!connector.reachability.isShut)
      staged.release(Self.name, ["127.0.0.1"])
      var patient = connector
      patient.connectLimit = patience
      connector.reachability.tryNow()
      try await use(patient)
    }
  }

  @Test("addresses that arrive too late for one caller serve the next one, with at most one further look-up")
  func late() throws {
    let staged = StagedLookUps()
    let lookUps = staged.lookUps
    func ask(within limit: Duration) throws(ServerFailure) -> [String] {
      try lookUps.addresses(of: Self.name, ConnectWait(atMost: limit, Awaited(), evenIfLate: true))
    }
    #expect(throws: ServerFailure.self) { _ = try ask(within: .milliseconds(1)) }
    staged.release(Self.name, ["192.0.2.1"])
    #expect(try ask(within: patience) == ["192.0.2.1"])
    #expect(try ask(within: patience) == ["192.0.2.1"])
    #expect(staged.asked.count <= 2)
  }

  @Test("while DNS is silent, connects use the last addresses of the name, and only the first connect waits for DNS")
  func lastKnown() throws {
    let staged = StagedLookUps([Self.name: ["192.0.2.1"]])
    let lookUps = staged.lookUps
    func ask(within limit: Duration) throws(ServerFailure) -> [String] {
      try lookUps.addresses(of: Self.name, ConnectWait(atMost: limit, Awaited(), evenIfLate: true))
    }
    #expect(try ask(within: patience) == ["192.0.2.1"])
    staged.silence(Self.name)
    #expect(try ask(within: .milliseconds(1)) == ["192.0.2.1"])
    let begun = ContinuousClock.now
    #expect(try ask(within: patience) == ["192.0.2.1"])
    #expect(ContinuousClock.now - begun < patience)
    staged.release(Self.name, ["192.0.2.2"])
    while try ask(within: patience) != ["192.0.2.2"] {}
    #expect(staged.asked.count == 2)
  }

  @Test("if a look-up fails, the last addresses are used, unless DNS has answered that the name does not exist")
  func failed() throws {
    for isAnswer in [false, true] {
      let isFirst = Mutex(true)
      let lookUps = HostLookUps { (_) throws(HostAddresses.Failure) in
        let answers = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        guard answers else { throw HostAddresses.Failure(text: "no", isAnswer: isAnswer) }
        return ["192.0.2.1"]
      }
      func ask() throws(ServerFailure) -> [String] {
        try lookUps.addresses(of: Self.name, ConnectWait(atMost: patience, Awaited(), evenIfLate: true))
      }
      #expect(try ask() == ["192.0.2.1"])
      for _ in 0..<2 {
        if isAnswer {
          let failure = #expect(throws: ServerFailure.self) { _ = try ask() }
          #expect(failure?.kind == .unresolved)
        } else {
          #expect(try ask() == ["192.0.2.1"])
        }
      }
    }
  }

  @Test("a connect tries the addresses of a name in turn")
  func several() async throws {
    try await withDatabase { database in
      let staged = StagedLookUps([Self.name: ["127.0.0.2", "127.0.0.1"], "gone.example": ["127.0.0.2", "127.0.0.3"]])
      try await use(connector(url(database, Self.name), staged))
      let gone = try connector(url(database, "gone.example"), staged)
      let failure = try await PostgreSQL.onItsThread {
        #expect(throws: ServerFailure.self) { _ = try gone.connect() }
      }
      #expect(failure?.kind == .disconnected)
      for address in ["127.0.0.2", "127.0.0.3"] {
        #expect(failure?.message.contains(address) == true, "\(String(describing: failure))")
      }
    }
  }

  @Test("TLS is required if the address is remote, even if the name is local")
  func remote() throws {
    for (place, isRemote) in [
      ("localhost/regd?hostaddr=192.0.2.1", true), ("/regd?host=/run/x&hostaddr=192.0.2.1", true),
      ("db.example/regd?hostaddr=127.0.0.1", false), ("db.example/regd", true), ("localhost/regd", false),
      ("/regd?host=/run/x", false),
    ] {
      #expect(try #require(ServerAddress("postgresql://\(place)")).isRemote(0) == isRemote, "\(place)")
    }
  }

  @Test("with an address for each host, regd looks up no name, and a URL with another number of addresses is refused")
  func addresses() throws {
    let hosts = "postgresql://regd@db1,db2/regd?hostaddr="
    for list in ["192.0.2.1", "192.0.2.1,192.0.2.2,192.0.2.3"] {
      #expect(ServerAddress(hosts + list) == nil, "\(list)")
    }
    #expect(ServerAddress("postgresql:///regd?hostaddr=192.0.2.1,192.0.2.2") != nil)
    let staged = StagedLookUps()
    let address = try #require(ServerAddress("\(hosts)192.0.2.1,192.0.2.2", lookUps: staged.lookUps))
    let wait = ConnectWait(atMost: patience, Awaited(), evenIfLate: true)
    for (host, name) in ["db1", "db2"].enumerated() {
      let options = try address.resolved(host, wait).map { "\($0.keyword)=\($0.value)" }.sorted()
      #expect(options == ["host=\(name)", "hostaddr=192.0.2.\(host + 1)"])
    }
    #expect(staged.asked.isEmpty)
  }

  @Test("a service file decides hosts and options as the URL does")
  func service() async {
    // in a separate process, because other tests read the environment at the same time
    await #expect(processExitsWith: .success) {
      try TemporaryDirectory.with { directory in
        let file = "\(directory)/services"
        try TextFile.write(
          "[site]\nhost=localhost\nhostaddr=192.0.2.1\nport=5433\nsslmode=verify-full\ntarget_session_attrs=primary\n",
          to: file)
        setenv("PGSERVICEFILE", file, 1)
        let address = try #require(ServerAddress("postgresql://regd@/regd?service=site"))
        try #require(address.isRemote(0))
        try #require(
          address.presets(0).map(\.keyword).sorted() == [
            "application_name", "keepalives_count", "keepalives_idle", "keepalives_interval", "tcp_user_timeout",
          ])
        let wait = ConnectWait(atMost: .seconds(300), Awaited(), evenIfLate: true)
        try #require(
          try address.resolved(0, wait).map { "\($0.keyword)=\($0.value)" }.sorted() == [
            "host=localhost", "hostaddr=192.0.2.1", "port=5433",
          ])
      }
    }
  }

  @Test("regd requires TLS and a server that accepts changes, unless the operator decides")
  func presets() throws {
    let plain = try #require(ServerAddress("postgresql://db.example/regd")).presets(0)
    #expect(plain.contains { $0 == ("sslmode", "require") })
    #expect(plain.contains { $0 == ("target_session_attrs", "read-write") })
    let decided = try #require(ServerAddress("postgresql://db.example/regd?sslmode=prefer")).presets(0)
    #expect(!decided.contains { $0.keyword == "sslmode" })
  }

  @Test("a URL is refused if libpq would take a part of the password for a host or a port")
  func tornPassword() {
    for url in [
      "postgresql://u:p@ss@db.example/regd", "postgresql://u:p@@db.example/regd", "postgresql://u:p/ss@db.example/regd",
      "postgres://u:p@ss@db.example", "postgresql://u:p?x@y@db.example", "host=db.example port=p",
    ] { #expect(ServerAddress(url) == nil, "\(url)") }
    for url in [
      "postgresql://u:p%40s%2Fs@db.example/regd", "postgresql://u:p?s#s:@db.example:5433,db2.example/regd",
      "postgresql:///regd?host=/run/x", "postgresql://db.example/a@b",
      "postgresql://u:p@db.example?application_name=a@b", "host=db.example password=p@ss@",
    ] { #expect(ServerAddress(url) != nil, "\(url)") }
  }

  @Test("libpq also gets the name, once for each address, because it verifies the certificate by the name")
  func kept() throws {
    let staged = StagedLookUps([Self.name: ["192.0.2.1", "2001:db8::1"]])
    let address = try #require(
      ServerAddress("postgresql://regd@[::1]:5433,\(Self.name):5434/regd", lookUps: staged.lookUps))
    let wait = ConnectWait(atMost: patience, Awaited(), evenIfLate: true)
    let options = try (0..<2).map { host in
      try address.resolved(host, wait).map { "\($0.keyword)=\($0.value)" }.sorted()
    }
    #expect(options[0] == ["host=::1", "port=5433"])
    #expect(options[1] == ["host=\(Self.name),\(Self.name)", "hostaddr=192.0.2.1,2001:db8::1", "port=5434"])
  }

  @Test("a host without a DNS answer does not prevent a session with the next host")
  func next() async throws {
    try await withDatabase { database in
      let staged = StagedLookUps([Self.name: ["127.0.0.1"]])
      let connector = try connector(url(database, "silent.example", Self.name), staged, within: .milliseconds(500))
      // a busy machine may need more than one try
      try await eventually { () async throws(StoreFailure) in
        connector.reachability.tryNow()
        do { try await PostgreSQL.onItsThread { _ = try connector.connect() } } catch {
          throw .unavailable(detail: "\(error)")
        }
      }
      #expect(staged.asked.count { $0 == "silent.example" } == 1)
      staged.release("silent.example", [])
    }
  }

  @Test("regd does not look up an address or the directory of a Unix socket")
  func literal() async throws {
    try await withDatabase { database in
      let staged = StagedLookUps()
      let named = "\(database.networkURL)?host=\(Self.name)&hostaddr=127.0.0.1&sslmode=disable"
      let urls = [database.networkURL, database.url, named]
      for url in urls {
        let connector = try connector(url, staged)
        try await use(connector)
      }
      #expect(staged.asked.isEmpty)
    }
  }
}

@Suite(
  "Probes of threads that connect to PostgreSQL or close a connection",
  .enabled(if: PostgreSQL.isHere, "PostgreSQL's programs are not here: make deps"), .timeLimit(.minutes(10)))
struct ConnectingProbeTests {
  /// Connects until a probe was answered, and then ends the connecting.
  private func expectProbe(_ address: ServerAddress, _ end: @escaping @Sendable () -> Void) async throws {
    let connector = Connector(
      address: address, durability: .local, connectLimit: patience, answerLimit: patience, damage: DamageLog { _ in })
    let (awaited, answered) = (Awaited(), Promise<Void>())
    awaited.append { answered.fulfill(()) }
    async let connected = PostgreSQL.onItsThread {
      #expect(throws: ServerFailure.self) { _ = try connector.connect(awaited) }
    }
    await answered.value()
    end()
    _ = try await connected
  }

  @Test("a thread answers its probe while a name is looked up")
  func lookUp() async throws {
    let staged = StagedLookUps()
    let url = "postgresql://regd@db.example:9/regd"
    try await expectProbe(try #require(ServerAddress(url, lookUps: staged.lookUps))) {
      staged.release("db.example", ["127.0.0.1"])
    }
  }

  @Test("a thread answers its probe while a server accepts connections but sends nothing")
  func server() async throws {
    let listening = try Descriptor.socket(.internetStream)
    try listening.bind(to: SocketAddress(loopbackPort: 0))
    try listening.listen(backlog: 9)
    let port = try listening.localAddress().port ?? 0
    let number = listening.release()
    try await expectProbe(try #require(ServerAddress("postgresql://regd@127.0.0.1:\(port)/regd"))) {
      try? Descriptor(borrowing: number).accept().close()
      try? Descriptor(borrowing: number).close()
    }
  }

  @Test("a thread answers its probe while the server has not freed the slot of a closed connection")
  func leaving() async throws {
    try await withDatabase { database in
      let proxied = try ProxiedDatabase(database)
      let connector = Connector(
        address: try #require(ServerAddress(proxied.settings.url)), durability: .local, connectLimit: patience,
        answerLimit: patience, damage: DamageLog { _ in })
      let session = try Session(connector, name: "test")
      let (isLeaving, isAsked) = (Promise<Void>(), Raised())
      let steps = Mutex(0)
      _ = try await session.read { (connection) throws(ServerFailure) in
        let rows = try connection.run("SELECT 1").count
        // Called after each step of the wait. The wait ends with the last of these steps.
        connection.givesUp = {
          isLeaving.fulfill(())
          guard isAsked.isRaised else { return nil }
          return steps.withLock { steps in
            steps += 1
            return steps < Self.mostSteps ? nil : .cancelled
          }
        }
        return rows
      }
      await proxied.proxy.swallow()
      async let gaveBack = session.giveBack(ifFull: false)
      await isLeaving.value()
      let answered = Promise<Int>()
      session.probe("test").ask { answered.fulfill(steps.withLock { $0 }) }
      isAsked.raise()
      #expect(await answered.value() < Self.mostSteps)
      await proxied.proxy.pass()
      #expect(await gaveBack)
    }
  }

  private static let mostSteps = 8
}

/// A flag between threads.
private final class Raised: Sendable {
  private let isUp = Atomic(false)

  var isRaised: Bool { isUp.load(ordering: .sequentiallyConsistent) }

  func raise() { isUp.store(true, ordering: .sequentiallyConsistent) }
}
