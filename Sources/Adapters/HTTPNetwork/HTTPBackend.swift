internal import CurlTransfers
internal import Linux
package import Registration

/// `network.backend: http`: asks an upstream over HTTP. The keys of `network.http` define the address of the upstream
/// and the time limits.
package struct HTTPBackend: NetworkBackend {
  package static let name = "http"
  package static let isRehearsed = false

  package private(set) var configuration: HTTPNetwork.Configuration

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    configuration = HTTPNetwork.Configuration(baseURL: keys.string("network.http.baseURL", default: ""))
    configuration.caFile = keys.optionalPath("network.http.caFile").ifAny
    configuration.bearerToken = keys.secret("network.http.bearerToken", default: "").ifAny.map { Secret(value: $0) }
    configuration.clientCertificateFile = keys.optionalPath("network.http.clientCertificateFile").ifAny
    configuration.clientKeyFile = keys.optionalPath("network.http.clientKeyFile").ifAny
    configuration.allowsPlaintext = keys.flag("network.http.allowPlaintext", default: false)
    let range: ClosedRange<Duration> = .milliseconds(10)...(.seconds(3600))
    configuration.connect = keys.seconds("network.http.connectSeconds", default: .seconds(2), range)
    configuration.total = keys.seconds("network.http.totalSeconds", default: .seconds(5), range)
    configuration.maximumBodyBytes = keys.integer("network.http.responseBytes", default: 65_536, 256...16_777_216)
    checkValues(&keys, isChosen: isChosen)
  }

  private func checkValues(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    if configuration.connect > configuration.total {
      keys.refuse("network.http.connectSeconds", "must not be more than network.http.totalSeconds")
    }
    if let token = configuration.bearerToken, token.value.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) {
      keys.refuse("network.http.bearerToken", "must be one word of visible ASCII (RFC 6750 section 2.1)")
    }
    for file in files where isChosen {
      let content: PEMFile.Content = file.key == "network.http.clientKeyFile" ? .key : .certificate
      if let problem = PEMFile.problem(file.path, of: content) { keys.refuse(file.key, problem) }
    }
    if (configuration.clientKeyFile == nil) != (configuration.clientCertificateFile == nil) {
      let missing = configuration.clientKeyFile == nil ? "Key" : "Certificate"
      keys.refuse("network.http.client\(missing)File", "is missing: certificate and key need each other")
    }
    let baseURL = configuration.baseURL
    if isChosen, baseURL.isEmpty {
      keys.refuse(
        "network.http.baseURL", "is missing; network.backend http needs it, such as https://accounts.example.com/v1")
    } else if !baseURL.isEmpty, let problem = BaseURLProblem.of(baseURL, allowsPlaintext: configuration.allowsPlaintext)
    {
      keys.refuse("network.http.baseURL", "\(problem)")
    }
  }

  package var files: [ConfiguredFile] {
    [
      ("network.http.caFile", configuration.caFile),
      ("network.http.clientCertificateFile", configuration.clientCertificateFile),
      ("network.http.clientKeyFile", configuration.clientKeyFile),
    ].compactMap { key, path in path.map { ConfiguredFile(key, $0) } }
  }

  package func check(_ keys: inout some ConfigurationKeys, chosen: String?, requestSeconds: Int) {
    // no refusal if the command line or a variable overrides the backend: the operator then turns the upstream off for
    // one run
    if chosen == nil, !configuration.baseURL.isEmpty, !keys.isOverridden("network.backend") {
      keys.refuse(
        "network.http.baseURL",
        "is set, but network.backend is none: write network.backend: http to use that upstream, or remove the URL")
    }
    if chosen == Self.name, configuration.total >= .seconds(requestSeconds) {
      keys.refuse("network.http.totalSeconds", "must be less than limits.requestSeconds, which is \(requestSeconds)")
    }
  }

  package var absences: [(key: String, message: String)] {
    files.compactMap { file in
      guard let number = PEMFile.obstacle(file.path) else { return nil }
      let reason = SystemError.text(number)
      return (file.key, "\(file.path) cannot be read (\(reason)); the upstream is not trusted until it can be read")
    }
  }

  package func open(_ context: NetworkContext) throws(NetworkOpeningFailure) -> OpenNetwork {
    for (key, message) in absences { context.warn("\(key): \(message)") }
    do {
      var configuration = configuration
      configuration.userAgent = context.userAgent
      let network = try HTTPNetwork(configuration, time: context.time) { context.failed($0.details) }
      return OpenNetwork(network, stop: network.stop)
    } catch {
      switch error {
      case .unusable(let problem): throw .configuration("network.http: \(problem)")
      case .libraryFailed: throw .operatingSystem(CurlLibrary.failure)
      case .threadFailed(let number): throw .operatingSystem("the network's thread: \(SystemError.text(number))")
      }
    }
  }
}

extension HTTPReport {
  fileprivate var details: [String: String] {
    [
      "status": status.map { "\($0)" } ?? "none", "sent": "\(sendings)", "milliseconds": "\(milliseconds)",
      "message": message,
    ]
  }
}

extension String {
  fileprivate var ifAny: String? { isEmpty ? nil : self }
}
