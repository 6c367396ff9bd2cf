internal import CPostgreSQL
internal import Linux
internal import Liveness

/// The database's address: `store.postgresql.url`, parsed by libpq and split by host.
///
/// The text holds a password, so it must not appear in any failure or log line.
struct ServerAddress: Sendable {
  private typealias Option = (keyword: String, value: String)

  /// The URL's options without host, hostaddr and port.
  private let options: [Option]
  private let hosts: [[Option]]
  /// The keywords that have a value which is not libpq's own: from the URL, a service file or a PG* variable.
  private let decided: Set<String>
  private let lookUps: HostLookUps

  /// The error for a text that `init` does not accept. libpq's own message may contain a part of the password.
  static let unreadable = """
    is not a URL that libpq can read, such as postgresql://user@host/database (in a password, write %40 for @ and %2F \
    for /)
    """

  /// Why libpq cannot be used, or nil if it can. The first call loads libpq.
  static var libraryFailure: String? { pq_load_failure().map { "libpq cannot be loaded: \(String(cString: $0))" } }

  /// Parses the text. Returns nil if libpq does not accept it, for example because it does not have one address for each
  /// host, or if libpq would take a part of the password for a host or a port.
  init?(_ url: String, lookUps: HostLookUps = .shared) {
    guard let list = PQconninfoParse(url, nil) else { return nil }
    let given = Self.options(list)
    let all = given.merging(Self.completed(given)) { mine, _ in mine }
    func each(_ keyword: String) -> [String] {
      guard let list = all[keyword] else { return [] }
      return list.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    guard !Self.hasTornPassword(url), each("port").allSatisfy(Self.isPort) else { return nil }
    // an empty list is like none
    let counts = Set(["host", "hostaddr"].filter { all[$0]?.isEmpty == false }.map { each($0).count })
    guard counts.count < 2 else { return nil }
    let places = ["host", "hostaddr", "port"]
    let lists = places.map { ($0, each($0)) }
    let count = max(1, lists.map(\.1.count).max() ?? 1)
    hosts = (0..<count).map { index in
      lists.compactMap { keyword, values in
        // a single port applies to all hosts
        let value = values.count == 1 ? values[0] : index < values.count ? values[index] : ""
        return value.isEmpty ? nil : (keyword, value)
      }
    }
    options = given.filter { !places.contains($0.key) }.map { ($0.key, $0.value) }
    decided = Set(all.filter { given[$0.key] != nil || Self.builtIn[$0.key] != $0.value }.keys)
    self.lookUps = lookUps
  }

  /// libpq's own values of the options that regd would set.
  private static let builtIn = ["sslmode": "prefer", "target_session_attrs": "any"]

  /// The values of a list of libpq's, by keyword. Frees the list.
  private static func options(_ list: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
    defer { PQconninfoFree(list) }
    var values: [String: String] = [:]
    var option = list
    while let keyword = option.pointee.keyword {
      if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
      option += 1
    }
    return values
  }

  /// All options as libpq would use them, including those of a service file and of PG* variables. Connects to nothing.
  private static func completed(_ given: [String: String]) -> [String: String] {
    // libpq reads all options, refuses this value, and opens no socket
    let refused = given.merging(["channel_binding": "-"]) { $1 }.map { ($0.key, $0.value) }
    guard let handle = start(refused) else { return [:] }
    defer { PQfinish(handle) }
    return PQconninfo(handle).map(options) ?? [:]
  }

  /// Whether there is an @ in the hosts. libpq ends the password at the first @ before the path.
  private static func hasTornPassword(_ url: String) -> Bool {
    guard let scheme = ["postgresql://", "postgres://"].first(where: url.hasPrefix) else { return false }
    let rest = url.dropFirst(scheme.count)
    guard let end = rest.firstIndex(where: { $0 == "@" || $0 == "/" }), rest[end] == "@" else { return false }
    return rest[end...].dropFirst().prefix { $0 != "/" && $0 != "?" }.contains("@")
  }

  /// Whether the text is the number of a port, or "" for libpq's own.
  private static func isPort(_ text: String) -> Bool {
    text.isEmpty || text.allSatisfy { "0" <= $0 && $0 <= "9" } && UInt16(text) ?? 0 > 0
  }

  var hostCount: Int { hosts.count }

  /// Whether the password would cross a network where others may listen.
  func isRemote(_ host: Int) -> Bool {
    // libpq connects to the address, whatever the name is
    let place = hosts[host].first { $0.keyword == "hostaddr" } ?? hosts[host].first { $0.keyword == "host" }
    let name = place?.value ?? "/"
    return !name.hasPrefix("/") && !name.hasPrefix("@") && !["localhost", "127.0.0.1", "::1"].contains(name)
  }

  /// Connects to one of the hosts.
  ///
  /// - Parameters:
  ///   - host: 0 or more, taken modulo the number of hosts.
  ///   - limit: The time limit for connecting. The look-up of the name has a separate one, so that slow DNS does not make
  ///     a healthy server look silent.
  ///   - lookUpLimit: The time limit for the look-up. Nil means the same as for connecting.
  ///   - answers: The time limit for each answer to the connection's statements.
  ///   - awaited: Answered while the thread waits, to show that it is alive.
  ///   - isLate: Whether the wait continues when the task is cancelled.
  func connect(
    _ host: Int, within limit: Duration, lookingUpWithin lookUpLimit: Duration? = nil, answers: Duration,
    _ awaited: Awaited = Awaited(), evenIfLate isLate: Bool = true
  ) throws(ServerFailure) -> Connection {
    let host = host % hosts.count
    var all = presets(host) + options
    all += try resolved(host, ConnectWait(atMost: lookUpLimit ?? limit, awaited, evenIfLate: isLate))
    // `connect_timeout` limits only libpq's own waits, which regd does not use. The encoding must be UTF-8.
    all = all.filter { !["connect_timeout", "client_encoding"].contains($0.0) } + [("client_encoding", "UTF8")]
    let handle = Self.start(all)
    guard let handle else { throw .disconnected("libpq has no memory for a connection") }
    do throws(ServerFailure) {
      // only the verbose form of a refused connection contains the SQLSTATE (`ServerFailure.unconnected`)
      PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
      try Self.finish(handle, ConnectWait(atMost: limit, awaited, evenIfLate: isLate))
      PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
    } catch {
      var failure = error
      failure.isOfSettings = PQconnectionNeedsPassword(handle) == 1 || !Self.isAccepted(all)
      PQfinish(handle)
      throw failure
    }
    return try Connection(handle, limit: answers)
  }

  /// regd's own options for one host, without those that the operator has decided.
  func presets(_ host: Int) -> [(keyword: String, value: String)] {
    // with these options, a vanished server is noticed within five seconds, however long an answer may take
    var all = [
      ("application_name", "regd"), ("target_session_attrs", "read-write"), ("keepalives_idle", "2"),
      ("keepalives_interval", "1"), ("keepalives_count", "3"), ("tcp_user_timeout", "5000"),
    ]
    if isRemote(host) { all.append(("sslmode", "require")) }
    return all.filter { !decided.contains($0.0) }
  }

  /// The options of one host, with its addresses if it has a name only, because libpq would look them up itself, on
  /// this thread. The name remains, because certificates are verified by it, and passwords are found by it. libpq
  /// requires the name once for each address. A single port applies to all of them.
  func resolved(_ host: Int, _ wait: ConnectWait) throws(ServerFailure) -> [(keyword: String, value: String)] {
    let host = hosts[host]
    guard !host.contains(where: { $0.keyword == "hostaddr" }),
      let name = host.first(where: { $0.keyword == "host" })?.value,
      // the directory of a Unix socket, or an abstract one
      !name.hasPrefix("/"), !name.hasPrefix("@"), !HostAddresses.isAddress(name)
    else { return host }
    let addresses = try lookUps.addresses(of: name, wait)
    return host.filter { $0.keyword != "host" } + [
      ("host", addresses.map { _ in name }.joined(separator: ",")), ("hostaddr", addresses.joined(separator: ",")),
    ]
  }

  private static func start(_ options: [Option]) -> OpaquePointer? {
    passing(options) { PQconnectStartParams($0, $1, 0) }
  }

  /// Whether libpq accepts the options of a host. Contacts no server: libpq checks the options, and then refuses the address.
  private static func isAccepted(_ options: [Option]) -> Bool {
    let others = options.filter { !["host", "hostaddr", "port"].contains($0.keyword) }
    return passing(others + [("hostaddr", "-")]) { PQpingParams($0, $1, 0) } != PQPING_NO_ATTEMPT
  }

  /// Calls `body` with the options as libpq takes them: their keywords and their values, each list with a null pointer at its end.
  private static func passing<Value>(
    _ options: [Option], _ body: ([UnsafePointer<CChar>?], [UnsafePointer<CChar>?]) -> Value
  ) -> Value {
    var texts: [UInt8] = []
    func place(_ text: String) -> Int {
      defer { texts += Array(text.utf8) + [0] }
      return texts.count
    }
    let places = options.map { (place($0.keyword), place($0.value)) }
    return texts.withUnsafeBytes { bytes in
      let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
      let keywords = places.map { start?.advanced(by: $0.0) } + [nil]
      let values = places.map { start?.advanced(by: $0.1) } + [nil]
      return body(keywords, values)
    }
  }

  /// Waits until the connection is made.
  private static func finish(_ handle: OpaquePointer, _ wait: ConnectWait) throws(ServerFailure) {
    var next = PGRES_POLLING_WRITING
    guard PQstatus(handle) != CONNECTION_BAD else { throw .unconnected(Connection.report(handle)) }
    while next != PGRES_POLLING_OK {
      let interest: Polling.Interest =
        next == PGRES_POLLING_READING ? .readable(PQsocket(handle)) : .writable(PQsocket(handle))
      guard let left = wait.left else { throw .deadline(wait.limit) }
      guard Polling.isReady(interest, atMost: left) else {
        try wait.goOn()
        continue
      }
      next = PQconnectPoll(handle)
      guard next != PGRES_POLLING_FAILED else { throw .unconnected(Connection.report(handle)) }
    }
  }
}
