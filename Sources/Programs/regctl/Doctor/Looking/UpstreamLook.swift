internal import AddressNormalization
internal import CurlTransfers
internal import HTTPNetwork
internal import Linux
internal import Localization
internal import RegdClient
internal import Registration
internal import Synchronization
internal import UserMessages

/// Asks the upstream with regd's configuration.
struct UpstreamLook {
  private let values: ConfiguredValues

  /// An address that no account can have, because its domain is reserved (RFC 2606).
  private static let nobody = "regctl-doctor@example.invalid"

  init(_ values: ConfiguredValues) { self.values = values }

  /// - Parameters:
  ///   - daemon: The facts about regd, with its network.
  ///   - isReadable: Whether the configuration could be read. If not, the upstream is not asked.
  ///   - address: An address to register twice under one idempotency key, or nil to register no address.
  /// - Returns: Nil if there is no upstream.
  func look(_ daemon: DaemonFacts, isReadable: Bool, registering address: String?) async -> UpstreamFacts? {
    let told = daemon.info.result?["network"]?["backend"]?.string
    guard (told ?? values["network.backend"]) == "http" else { return nil }
    var facts = UpstreamFacts(baseURL: values["network.http.baseURL"])
    guard isReadable, !facts.baseURL.isEmpty else {
      facts.attempt = .notDone(.sentence(LocalizedMessage(DoctorUpstreamMessageKey.mayNotBeRead)))
      return facts
    }
    let words = Mutex("")
    do {
      let network = try HTTPNetwork(configuration, time: NoTime()) { report in
        let status = report.status.map { Speech.text(DoctorUpstreamMessageKey.status, ["status": "\($0)"]) } ?? ""
        words.withLock { $0 = report.message.isEmpty ? status : report.message }
      }
      defer { network.stop() }
      facts.attempt = await attempt(network, words)
      if let address { facts.repeated = await twice(network, address) }
    } catch {
      facts.attempt = .notDone("\(error)")
    }
    return facts
  }

  private var configuration: HTTPNetwork.Configuration {
    func file(_ key: String) -> String? { values[key].isEmpty ? nil : values[key] }
    func seconds(_ key: String) -> Duration { .milliseconds(Int((Double(values[key]) ?? 2) * 1000)) }
    var configuration = HTTPNetwork.Configuration(baseURL: values["network.http.baseURL"])
    configuration.allowsPlaintext = values["network.http.allowPlaintext"] == "true"
    configuration.caFile = file("network.http.caFile")
    configuration.bearerToken = file("network.http.bearerToken").map { Secret(value: $0) }
    configuration.clientCertificateFile = file("network.http.clientCertificateFile")
    configuration.clientKeyFile = file("network.http.clientKeyFile")
    configuration.connect = seconds("network.http.connectSeconds")
    configuration.total = seconds("network.http.totalSeconds")
    configuration.userAgent = "regctl-doctor"
    return configuration
  }

  private func address(_ text: String) -> EmailAddress? {
    try? EmailRules(normalizer: UnicodeNormalizer()).check(text).get()
  }

  private func noAddress(_ text: String) -> LocalizedMessage.Content {
    .sentence(LocalizedMessage(DoctorUpstreamMessageKey.noAddress, ["address": .text(text)]))
  }

  private func attempt(_ network: HTTPNetwork, _ words: borrowing Mutex<String>) async -> UpstreamFacts.Try {
    guard let nobody = address(Self.nobody) else { return .notDone(noAddress(Self.nobody)) }
    let start = ContinuousClock.now
    do throws(NetworkFailure) {
      _ = try await network.isAvailable(nobody, for: .daemon)
      return .answered(milliseconds: Int((ContinuousClock.now - start) / .milliseconds(1)))
    } catch {
      return .failed(reason: "network.\(error.word)", detail: words.withLock { $0 })
    }
  }

  private func twice(_ network: HTTPNetwork, _ text: String) async -> UpstreamFacts.Repeat {
    guard let email = address(text) else { return .failed(noAddress(text)) }
    let registration = UpstreamRegistration(
      id: AccountID(at: Timestamp(microseconds: WallClock.microseconds)), email: email,
      // no password has this hash, so it cannot be used to sign in
      passwordHash: PasswordHash(
        phc: "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$\(String(repeating: "A", count: 43))"))
    do throws(NetworkFailure) {
      guard case .registered(let first) = try await network.tryRegistration(registration, within: configuration.total)
      else {
        return .failed(.sentence(LocalizedMessage(DoctorUpstreamMessageKey.hasAccount, ["address": .text(text)])))
      }
      switch try await network.tryRegistration(registration, within: configuration.total) {
      case .registered(let second): return .ids(first, second)
      case .taken: return .taken
      }
    } catch { return .failed("network.\(error.word)") }
  }
}

/// `HTTPNetwork` requires a clock to read dates in Retry-After. The doctor does not use these dates, so any time will
/// do.
private struct NoTime: TimeSource {
  func now() -> Timestamp { Timestamp(microseconds: WallClock.microseconds) }
}

extension NetworkFailure {
  /// The part after `network.` in the reasons of regd's errors.
  fileprivate var word: String {
    switch self {
    case .offline: "offline"
    case .unavailable: "unavailable"
    case .timeout: "timeout"
    case .emptyResponse: "emptyResponse"
    case .malformedResponse: "malformedResponse"
    case .rejected, .throttled, .tooEarly: "rejected"
    case .congested: "offline"
    case .untrusted: "untrusted"
    case .failed: "failed"
    }
  }
}
