internal import Linux
package import Registration

/// `network.backend: http`, and its keys, `network.http`: where the upstream is, and how long it may take.
package struct HTTPBackend: NetworkBackend {
  package static let name = "http"
  package static let isRehearsed = false

  private let baseURL: String
  /// A file of certificates in PEM, the only ones that are trusted; "" for the system's.
  private let caFile: String
  package let bearerToken: Secret
  /// Files in PEM by which regd proves who it is; "" for none.
  private let clientCertificateFile: String
  private let clientKeyFile: String
  private let allowsPlaintext: Bool
  private let connect: Duration
  private let total: Duration
  private let maximumBodyBytes: Int

  /// A value whose description does not show it.
  package struct Secret: Equatable, Sendable, CustomStringConvertible {
    package let value: String
    package var description: String { value.isEmpty ? "(none)" : "(secret)" }
  }

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    baseURL = keys.string("network.http.baseURL", default: "")
    caFile = keys.optionalPath("network.http.caFile")
    bearerToken = Secret(value: keys.string("network.http.bearerToken", default: ""))
    clientCertificateFile = keys.optionalPath("network.http.clientCertificateFile")
    clientKeyFile = keys.optionalPath("network.http.clientKeyFile")
    allowsPlaintext = keys.flag("network.http.allowPlaintext", default: false)
    let range: ClosedRange<Duration> = .milliseconds(10)...(.seconds(3600))
    connect = keys.seconds("network.http.connectSeconds", default: .seconds(2), range)
    total = keys.seconds("network.http.totalSeconds", default: .seconds(5), range)
    maximumBodyBytes = keys.integer("network.http.responseBytes", default: 65_536, 256...16_777_216)
    checkValues(&keys, isChosen: isChosen)
  }

  private func checkValues(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    if connect > total {
      keys.refuse("network.http.connectSeconds", "must not be more than network.http.totalSeconds")
    }
    if bearerToken.value.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) {
      keys.refuse("network.http.bearerToken", "must be one word of visible ASCII (RFC 6750 section 2.1)")
    }
    for file in files where isChosen && PEMFile.condition(file.path) == .notPEM {
      keys.refuse(file.key, "must be a PEM file, and \(file.path) has no line that begins with -----BEGIN")
    }
    if clientKeyFile.isEmpty != clientCertificateFile.isEmpty {
      keys.refuse(
        "network.http.client\(clientKeyFile.isEmpty ? "Key" : "Certificate")File", "is missing: the two belong together"
      )
    }
    if isChosen, baseURL.isEmpty {
      keys.refuse(
        "network.http.baseURL", "is missing; network.backend http needs it, such as https://accounts.example.com/v1")
    } else if !baseURL.isEmpty, let problem = BaseURLProblem.of(baseURL, allowsPlaintext: allowsPlaintext) {
      keys.refuse("network.http.baseURL", "\(problem)")
    }
  }

  package var files: [ConfiguredFile] {
    [
      ConfiguredFile("network.http.caFile", caFile),
      ConfiguredFile("network.http.clientCertificateFile", clientCertificateFile),
      ConfiguredFile("network.http.clientKeyFile", clientKeyFile),
    ].filter { !$0.path.isEmpty }
  }

  package func check(_ keys: inout some ConfigurationKeys, chosen: String?, requestSeconds: Int) {
    // an operator who takes the upstream away for once does so on the command line or by a variable
    if chosen == nil, !baseURL.isEmpty, !keys.isOverridden("network.backend") {
      keys.refuse(
        "network.http.baseURL",
        "is given, and network.backend is none: write network.backend: http to ask that upstream, or take the URL away")
    }
    if chosen == Self.name, total >= .seconds(requestSeconds) {
      keys.refuse("network.http.totalSeconds", "must be less than limits.requestSeconds, which is \(requestSeconds)")
    }
  }

  package func open(_ surroundings: NetworkSurroundings) throws(NetworkOpeningFailure) -> OpenNetwork {
    for file in files {
      guard case .unreadable(let number) = PEMFile.condition(file.path) else { continue }
      let reason = SystemError.text(number)
      surroundings.log(
        .warning, "\(file.key): \(file.path) cannot be read (\(reason)); the upstream is not trusted until it can", [:])
    }
    do {
      let network = try HTTPNetwork(configuration(surroundings.userAgent), time: surroundings.time) { report in
        surroundings.log(.notice, "the upstream failed", report.details)
      }
      return OpenNetwork(network, logsFailures: true, stop: network.stop)
    } catch {
      switch error {
      case .unusable(let problem): throw .configuration("network.http: \(problem)")
      case .libraryFailed: throw .operatingSystem("libcurl cannot be set up")
      case .threadFailed(let number): throw .operatingSystem("the network's thread: \(SystemError.text(number))")
      }
    }
  }

  private func configuration(_ userAgent: String) -> HTTPNetwork.Configuration {
    HTTPNetwork.Configuration(
      baseURL: baseURL, allowsPlaintext: allowsPlaintext, caFile: caFile.ifAny, bearerToken: bearerToken.value.ifAny,
      clientCertificateFile: clientCertificateFile.ifAny, clientKeyFile: clientKeyFile.ifAny, connect: connect,
      total: total, maximumBodyBytes: maximumBodyBytes, userAgent: userAgent)
  }
}

extension HTTPReport {
  fileprivate var details: [String: String] {
    [
      "operation": "\(operation)", "failure": "\(failure)", "status": status.map { "\($0)" } ?? "none",
      "sent": "\(sendings)", "milliseconds": "\(milliseconds)", "message": message,
    ]
  }
}

extension String {
  fileprivate var ifAny: String? { isEmpty ? nil : self }
}
