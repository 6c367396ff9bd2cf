internal import Registration
internal import WireProtocols

/// Finds values that are valid alone but contradict each other: one would never take effect, or would break the promise
/// of another key. Keys that are only unused, such as `network.http` with another backend, are allowed.
struct Contradictions {
  let settings: Settings

  func check(_ reader: inout SettingsReader) {
    checkLimits(&reader)
    checkPasswords(&reader)
    checkNetwork(&reader)
    checkBackends(&reader)
    checkPaths(&reader)
    settings.doors.check(against: settings, &reader)
  }

  /// Refuses a limit for a part (one connection) above the limit for the whole (all connections of a user), because no
  /// part would reach it. Allows a default limit for the part, so that an operator can lower only the limit for the
  /// whole.
  private func checkLimits(_ reader: inout SettingsReader) {
    let (chosen, shipped) = (settings.limits.limits, LimitSettings().limits)
    func nest(_ part: String, _ partly: KeyPath<Limits, Int>, in whole: String, _ wholly: KeyPath<Limits, Int>) {
      let (inner, outer) = (chosen[keyPath: partly], chosen[keyPath: wholly])
      guard inner > outer, inner != shipped[keyPath: partly] else { return }
      reader.refuse(
        "limits.\(part)", "must not be more than limits.\(whole), which is \(outer); otherwise it has no effect")
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
        "must not be more than limits.messageBytes, which is \(chosen.messageBytes); otherwise it has no effect")
    }
  }

  private func checkPasswords(_ reader: inout SettingsReader) {
    let (longest, bytes) = (settings.password.maximumLength, settings.limits.limits.messageBytes)
    if longest > bytes / 2 {
      reader.refuse(
        "password.maximumLength",
        "has no effect: a registration contains the password twice, and limits.messageBytes is \(bytes)")
    }
  }

  private func checkNetwork(_ reader: inout SettingsReader) {
    guard settings.network.chosen == nil, settings.network.whenUnreachable == .defer else { return }
    reader.refuse(
      "network.whenUnreachable",
      "must be refuse while network.backend is none, because there is no upstream")
  }

  private func checkBackends(_ reader: inout SettingsReader) {
    let (network, store, seconds) = (settings.network, settings.store, settings.limits.limits.requestSeconds)
    let chosen = network.chosen.map { type(of: $0).name }
    for backend in network.backends { backend.check(&reader, chosen: chosen, requestSeconds: seconds) }
    let mail = settings.mail.chosen.map { type(of: $0).name }
    for backend in settings.mail.backends { backend.check(&reader, chosen: mail, requestSeconds: seconds) }
    for backend in store.backends { backend.check(&reader, chosen: store.backend, requestSeconds: seconds) }
  }

  private func checkPaths(_ reader: inout SettingsReader) {
    var paths = PathConflicts()
    if let file = reader.file { paths.add(.init("the configuration file", file)) }
    for place in [settings.socket.place] + settings.doors.entries.map(\.place) {
      paths.add(
        .init(
          "\(place.section).path", place.path, isWritten: true,
          companions: [(".lock", "lock file"), (".new", "name while it is made")]))
    }
    for file in settings.store.chosen.files { paths.add(file) }
    paths.add(.init(EmailSettings.fileKey, settings.email.blockedDomainsFile))
    paths.add(.init("password.breachedList", settings.password.breachedList))
    for file in settings.mail.backends.flatMap(\.files) { paths.add(file) }
    for file in settings.network.backends.flatMap(\.files) { paths.add(file) }
    paths.check(&reader)
  }
}
