package import CurlTransfers

extension HTTPNetwork {
  /// The upstream's address, how regd and the upstream authenticate, deadlines and maxima.
  package struct Configuration: Equatable, Sendable {
    /// `https://host[:port][/path]`. `BaseURLProblem.of` must return nil for it.
    package var baseURL: String
    /// Whether plain HTTP may be used to another machine.
    package var allowsPlaintext = false
    /// A PEM file of the only trusted authorities. If it is nil, those of the system are trusted. libcurl reads a
    /// changed file again within a minute.
    package var caFile: String?
    /// Sent as `Authorization: Bearer`.
    package var bearerToken: Secret?
    /// A PEM file. The key may be in the same file. A key with a passphrase is refused, because a daemon cannot ask
    /// anyone for it.
    package var clientCertificateFile: String?
    package var clientKeyFile: String?
    /// The limit for the name look-up, the connection and the TLS handshake together.
    package var connect = Duration.seconds(2)
    /// The limit from the call to the end of the answer, including the wait for a connection.
    package var total = Duration.seconds(5)
    /// The half of `total` that a request may wait for a connection. The other half is left for the upstream to answer,
    /// so that regd's own congestion is not reported as a slow upstream.
    var waiting: Duration { total / 2 }
    /// The longest idle time after which a kept-alive connection is reused, in whole seconds. Shorter than the few
    /// minutes after which upstreams usually close theirs.
    package var idle = Duration.seconds(118)
    package var maximumBodyBytes = 65_536
    /// The most connections at once. Further requests wait for a free one, and the callers' uids take turns.
    package var maximumConnections = 64
    /// The most requests of one uid that may wait.
    package var maximumWaiting = 256
    package var userAgent = "regd"

    /// The first problem of the configuration, in words that quote no value, or nil if the configuration has no
    /// problem. Does not look at files, which may appear later.
    package var problem: String? {
      if let problem = BaseURLProblem.of(baseURL, allowsPlaintext: allowsPlaintext) {
        return "the base URL \(problem)"
      }
      // the token goes into a header, where a line feed would begin another header
      if let token = bearerToken?.value, token.isEmpty || !token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) {
        return "the bearer token is empty or contains characters other than visible ASCII"
      }
      if !userAgent.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) {
        return "the user agent contains characters other than ASCII"
      }
      if clientKeyFile != nil, clientCertificateFile == nil { return "there is a client key without a certificate" }
      if connect <= .zero || total <= .zero { return "the times must be greater than 0" }
      if maximumBodyBytes < 1 || maximumConnections < 1 || maximumWaiting < 1 { return "the maxima must be 1 or more" }
      return nil
    }

    /// The base URL without the slashes at its end, because every path that is appended to it begins with a slash.
    var base: Substring {
      baseURL[..<(baseURL.lastIndex { $0 != "/" }.map(baseURL.index(after:)) ?? baseURL.startIndex)]
    }
  }
}

extension HTTPNetwork.Configuration {
  package init(baseURL: String) { self.init(baseURL: baseURL, allowsPlaintext: false) }
}
