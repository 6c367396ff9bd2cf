internal import HTTPNetwork

/// `network.http`: where the upstream is, and how long it may take.
package struct HTTPSettings: Equatable, Sendable {
  package var baseURL: String
  /// A file of certificates in PEM, the only ones that are trusted; "" for the system's.
  package var caFile: String
  package var bearerToken: Secret
  /// Files in PEM by which regd proves who it is; "" for none.
  package var clientCertificateFile: String
  package var clientKeyFile: String
  package var allowPlaintext: Bool
  package var connect: Duration
  package var total: Duration
  package var responseBytes: Int

  /// A value that is not to be seen: it has no description.
  package struct Secret: Equatable, Sendable, CustomStringConvertible {
    package let value: String
    package var description: String { value.isEmpty ? "(none)" : "(secret)" }
  }

  /// The files that are named, with their keys.
  var files: [(key: String, path: String)] {
    [("caFile", caFile), ("clientCertificateFile", clientCertificateFile), ("clientKeyFile", clientKeyFile)]
      .filter { !$0.1.isEmpty }
  }

  init(_ reader: inout SettingsReader, isUsed: Bool) {
    baseURL = reader.string("network.http.baseURL", default: "")
    caFile = reader.path("network.http.caFile", default: "", isOptional: true)
    bearerToken = Secret(value: reader.string("network.http.bearerToken", default: ""))
    clientCertificateFile = reader.path("network.http.clientCertificateFile", default: "", isOptional: true)
    clientKeyFile = reader.path("network.http.clientKeyFile", default: "", isOptional: true)
    allowPlaintext = reader.flag("network.http.allowPlaintext", default: false)
    let range: ClosedRange<Duration> = .milliseconds(10)...(.seconds(3600))
    connect = reader.seconds("network.http.connectSeconds", default: .seconds(2), range)
    total = reader.seconds("network.http.totalSeconds", default: .seconds(5), range)
    responseBytes = reader.integer("network.http.responseBytes", default: 65_536, 256...16_777_216)
    if connect > total {
      reader.refuse("network.http.connectSeconds", "must not be more than network.http.totalSeconds")
    }
    if bearerToken.value.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) {
      reader.refuse("network.http.bearerToken", "must be one word of visible ASCII (RFC 6750 section 2.1)")
    }
    for (key, path) in files where isUsed && PEMFile.condition(path) == .notPEM {
      reader.refuse("network.http.\(key)", "must be a PEM file, and \(path) has no line that begins with -----BEGIN")
    }
    if clientKeyFile.isEmpty != clientCertificateFile.isEmpty {
      reader.refuse(
        "network.http.client\(clientKeyFile.isEmpty ? "Key" : "Certificate")File", "is missing: the two belong together"
      )
    }
    if isUsed, baseURL.isEmpty {
      reader.refuse(
        "network.http.baseURL", "is missing; network.backend http needs it, such as https://accounts.example.com/v1")
    } else if !baseURL.isEmpty, let problem = BaseURLProblem.of(baseURL, allowsPlaintext: allowPlaintext) {
      reader.refuse("network.http.baseURL", "\(problem)")
    }
  }
}
