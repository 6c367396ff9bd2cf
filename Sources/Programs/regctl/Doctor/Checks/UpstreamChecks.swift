internal import RegdClient

/// The registration service behind regd.
enum UpstreamChecks {
  static func upstream(_ facts: Facts) -> Finding? {
    let network = facts.daemon.status.result?["network"]
    let told = network?["failure"]?.string.map { "regd was told, since \(network?["since"]?.string ?? "?"): \($0)" }
    guard let upstream = facts.upstream else {
      return told.map { .problem($0, type: "journalctl -u \(facts.daemon.unit) -n 50") }
    }
    switch upstream.attempt {
    case .answered(let milliseconds):
      let seen = "\(upstream.baseURL) answers in \(milliseconds) ms"
      guard let told else { return .ok(seen) }
      if network?["failure"]?.string == "offline", mayBeKeptByUnit(upstream, facts) {
        return .warning(
          "\(seen); but \(told): IPAddressDeny= of \(facts.daemon.unit) may keep regd from it",
          type: "systemctl edit \(facts.daemon.unit)   # [Service] IPAddressAllow=ADDRESS; then restart it")
      }
      return .warning("\(seen); but \(told)", type: "journalctl -u \(facts.daemon.unit) -n 50")
    case .failed(let reason, let detail):
      return .problem(
        "\(upstream.baseURL): \(reason)\(detail.isEmpty ? "" : " (\(detail))")",
        type: advice(reason, detail, upstream.baseURL, facts))
    case .notDone(let why):
      let seen = "the upstream was not tried from here: \(why)"
      guard let told else { return .unknown(seen, type: "sudo regctl doctor") }
      return .problem(told, type: "journalctl -u \(facts.daemon.unit) -n 50")
    }
  }

  /// Whether regd runs in a unit, whose sandbox the doctor does not share. The shipped ones allow this machine.
  private static func mayBeKeptByUnit(_ upstream: UpstreamFacts, _ facts: Facts) -> Bool {
    let isHere = ["://localhost", "://127.", "://[::1]"].contains { upstream.baseURL.contains($0) }
    return facts.daemon.unitState["ActiveState"] == "active" && !isHere
  }

  private static func advice(_ reason: String, _ detail: String, _ url: String, _ facts: Facts) -> String {
    let rest = url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
    let isPlain = url.hasPrefix("http:")
    let parts = rest.split(separator: ":")
    let (host, port) = (parts.first ?? "?", parts.count == 2 ? parts[1] : isPlain ? "80" : "443")
    if detail.contains("resolve host") { return "getent ahosts \(host)" }
    switch reason {
    case "network.untrusted":
      return
        "openssl s_client -connect \(host):\(port) -servername \(host) </dev/null   # network.http.caFile"
    case "network.offline": return "nc -vz \(host) \(port); systemctl show -p IPAddressDeny \(facts.daemon.unit)"
    case "network.rejected": return "editor \(facts.configuration.path)   # network.http.baseURL, and the token"
    default: return "curl -v \(url)/emails/a@example.com/availability"
    }
  }

  /// A registration is safe to repeat only if the upstream knows a key again (Idempotency-Key).
  static func repeats(_ facts: Facts) -> Finding? {
    guard let upstream = facts.upstream, let repeated = upstream.repeated else { return nil }
    switch repeated {
    case .ids(let first, let second) where first == second:
      return .ok("\(upstream.baseURL) answers a repeat under the same key with the same account")
    case .ids(let first, let second):
      return .problem(
        "\(upstream.baseURL) has let a repeat under the same key through: the ids are \(first) and \(second)",
        type: "man regd-protocol   # THE UPSTREAM: it has to honour Idempotency-Key")
    case .taken:
      return .problem(
        "\(upstream.baseURL) answers a repeat under the same key with 409, as if it were another's",
        type: "man regd-protocol   # THE UPSTREAM: it has to honour Idempotency-Key")
    case .failed(let reason):
      return .unknown(
        "the repeat could not be tried: \(reason)",
        type: "regctl doctor --try-upstream ADDRESS   # one that is free")
    }
  }
}
