internal import Localization
internal import RegdClient

/// Checks whether the upstream answers, and whether a registration can be repeated there.
enum UpstreamChecks {
  static func upstream(_ facts: Facts) -> Finding? {
    let network = facts.daemon.status.result?["network"]
    let failure = network?["failure"]?.string
    let journal = "journalctl -u \(facts.daemon.unit) -n 50"
    func seen(_ key: DoctorUpstreamMessageKey) -> LocalizedMessage {
      said(
        key,
        [
          "url": .text(facts.upstream?.baseURL ?? ""), "time": .text(network?["since"]?.string ?? "?"),
          "failure": .text(failure ?? ""), "milliseconds": .number(facts.upstream?.milliseconds ?? 0),
          "unit": .text(facts.daemon.unit),
        ])
    }
    guard let upstream = facts.upstream else {
      return failure.map { _ in .problem(seen(.told), type: journal) }
    }
    switch upstream.attempt {
    case .answered:
      guard let failure else { return .ok(seen(.answers)) }
      if failure == "offline", mayBeKeptByUnit(upstream, facts) {
        return .warning(
          seen(.keptByUnit), type: Finding.typing("systemctl edit \(facts.daemon.unit)", .allowAddress))
      }
      return .warning(seen(.answersButTold), type: journal)
    case .failed(let reason, let detail):
      return .problem(
        said(
          detail.isEmpty ? .failed : .failedDetail,
          ["url": .text(upstream.baseURL), "reason": .text(reason), "detail": .text(detail)]),
        type: advice(reason, detail, upstream.baseURL, facts))
    case .notDone(let why):
      guard failure != nil else { return .unknown(said(.notTried, ["reason": why]), type: "sudo regctl doctor") }
      return .problem(seen(.told), type: journal)
    }
  }

  /// Whether the unit's sandbox, which does not apply to regctl, may keep regd from the upstream. The shipped units
  /// allow only addresses of this machine.
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
    case "network.rejected": return Finding.typing("editor \(facts.configuration.path)", .urlAndToken)
    default: return "curl -v \(url)/emails/a@example.com/availability"
    }
  }

  private static func said(
    _ key: DoctorUpstreamMessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]
  ) -> LocalizedMessage { LocalizedMessage(key, values) }

  /// Judges whether a registration is safe to repeat: only if the upstream recognizes a repeated key (Idempotency-Key).
  static func repeats(_ facts: Facts) -> Finding? {
    guard let upstream = facts.upstream, let repeated = upstream.repeated else { return nil }
    switch repeated {
    case .ids(let first, let second) where first == second:
      return .ok(said(.sameAccount, ["url": .text(upstream.baseURL)]))
    case .ids(let first, let second):
      return .problem(
        said(.otherAccount, ["url": .text(upstream.baseURL), "first": .text(first), "second": .text(second)]),
        type: Finding.typing("man regd-upstream", .idempotencyKey))
    case .taken:
      return .problem(
        said(.taken, ["url": .text(upstream.baseURL)]), type: Finding.typing("man regd-upstream", .idempotencyKey))
    case .failed(let reason):
      return .unknown(
        said(.repeatFailed, ["reason": reason]),
        type: Finding.typing("regctl doctor --try-upstream ADDRESS", .freeAddress))
    }
  }
}
