internal import JSONRPC

/// Keys that are each possible and cannot be meant together. What is refused here would never take effect, or would break
/// another key's promise; what is merely not used (`network.http` while another backend is tried out) stands as it is.
struct Contradictions {
  let settings: Settings

  func check(_ reader: inout SettingsReader) {
    checkLimits(&reader)
    checkPasswords(&reader)
    checkNetwork(&reader)
    checkDeadlines(&reader)
    checkPaths(&reader)
  }

  /// A limit of a part that is more than that of the whole is never met. One that is left at its default is not held
  /// against who makes the whole smaller.
  private func checkLimits(_ reader: inout SettingsReader) {
    let (chosen, shipped) = (settings.limits.limits, LimitSettings().limits)
    func nest(_ part: String, _ partly: KeyPath<Limits, Int>, in whole: String, _ wholly: KeyPath<Limits, Int>) {
      let (inner, outer) = (chosen[keyPath: partly], chosen[keyPath: wholly])
      guard inner > outer, inner != shipped[keyPath: partly] else { return }
      reader.refuse(
        "limits.\(part)", "is never met: it must not be more than limits.\(whole), which is \(outer)")
    }
    nest("connectionsPerUID", \.connectionsPerUID, in: "connections", \.connections)
    nest("inFlightPerConnection", \.inFlightPerConnection, in: "inFlightPerUID", \.inFlightPerUID)
    nest("queuedBytesPerConnection", \.queuedBytesPerConnection, in: "queuedBytesPerUID", \.queuedBytesPerUID)
    if chosen.messageBytes > chosen.heldBytesPerUID {
      reader.refuse(
        "limits.messageBytes",
        "must not be more than limits.heldBytesPerUID, which is \(chosen.heldBytesPerUID): a message of that size would be refused while it is read"
      )
    }
    if chosen.idBytes > chosen.messageBytes {
      reader.refuse(
        "limits.idBytes",
        "is never met: it must not be more than limits.messageBytes, which is \(chosen.messageBytes)")
    }
  }

  private func checkPasswords(_ reader: inout SettingsReader) {
    let (longest, bytes) = (settings.password.maximumLength, settings.limits.limits.messageBytes)
    if longest > bytes / 2 {
      reader.refuse(
        "password.maximumLength",
        "is never met: a registration has the password twice, and limits.messageBytes is \(bytes)")
    }
  }

  private func checkNetwork(_ reader: inout SettingsReader) {
    let network = settings.network
    guard network.backend == "none" else { return }
    if network.whenUnreachable == .defer {
      reader.refuse(
        "network.whenUnreachable",
        "must be refuse while network.backend is none: there is no upstream that could be unreachable")
    }
    // who takes the upstream away for a moment does it on the command line or by a variable
    let place = reader.place("network.backend")
    if !network.http.baseURL.isEmpty, place == nil || reader.isInFile("network.backend") {
      reader.refuse(
        "network.http.baseURL",
        "is given, and network.backend is none: write network.backend: http to ask that upstream, or take the URL away")
    }
  }

  /// Deadlines nest: who waits for a part hears what came of it, and not only that the time is over.
  private func checkDeadlines(_ reader: inout SettingsReader) {
    let seconds = settings.limits.limits.requestSeconds
    if settings.network.backend == "http", settings.network.http.total >= .seconds(seconds) {
      reader.refuse("network.http.totalSeconds", "must be less than limits.requestSeconds, which is \(seconds)")
    }
    let store = settings.store
    if store.backend == "sqlite", store.sqliteLockMilliseconds != StoreSettings.defaultLockMilliseconds,
      store.sqliteLockMilliseconds >= seconds * 1000
    {
      reader.refuse("store.sqlite.lockSeconds", "must be less than limits.requestSeconds, which is \(seconds)")
    }
  }

  private func checkPaths(_ reader: inout SettingsReader) {
    var paths = PathConflicts()
    if let file = reader.file { paths.add("the configuration file", file, isWritten: false) }
    paths.add(
      "socket.path", settings.socket.path, isWritten: true,
      beside: [(".lock", "lock file"), (".new", "name while it is made")])
    if settings.store.backend == "sqlite" {
      paths.add(
        "store.sqlite.path", settings.store.sqlitePath, isWritten: true,
        beside: [("-wal", "write-ahead log"), ("-shm", "shared memory"), ("-journal", "rollback journal")])
    }
    paths.add("password.breachedList", settings.password.breachedList, isWritten: false)
    for (key, path) in settings.network.http.files { paths.add("network.http.\(key)", path, isWritten: false) }
    paths.check(&reader)
  }
}
