package import CurlTransfers

extension HTTPNetwork {
  /// The upstream's address, how regd and the upstream authenticate, deadlines and maxima.
  package struct Configuration: Equatable, Sendable {
    /// `https://host[:port][/path]`; what `BaseURLProblem` says of it must be nothing.
    package var baseURL: String
    /// Whether plain HTTP may leave this machine.
    package var allowsPlaintext = false
    /// PEM: the only authorities that are trusted then. Nil: those of the system. Read again at most a minute after a change.
    package var caFile: String?
    /// Sent as `Authorization: Bearer`.
    package var bearerToken: Secret?
    /// PEM; the key may be in the same file. A key under a passphrase is refused: a daemon has no one to ask.
    package var clientCertificateFile: String?
    package var clientKeyFile: String?
    /// For a name, a connection and a TLS handshake.
    package var connect = Duration.seconds(2)
    /// From the call to the whole answer, with all waiting.
    package var total = Duration.seconds(5)
    /// Of `total`, how long a request may wait for a connection; the rest is the upstream's, so that what regd's own
    /// congestion has taken is not reported as a slow upstream.
    var waiting: Duration { total / 2 }
    /// How long a connection may have been idle that is used again; whole seconds. Upstreams close theirs after some minutes.
    package var idle = Duration.seconds(118)
    package var maximumBodyBytes = 65_536
    /// Connections at once, shared out by user; further requests wait for one, in turn by user.
    package var maximumConnections = 64
    /// Requests that may wait of one user.
    package var maximumWaiting = 256
    package var userAgent = "regd"

    /// What is wrong, in words without the values; nil if nothing is. Does not look at files: they may come later.
    package var problem: String? {
      if let problem = BaseURLProblem.of(baseURL, allowsPlaintext: allowsPlaintext) {
        return "the base URL \(problem)"
      }
      // it becomes a part of a header, in which a line feed would begin another
      if let token = bearerToken?.value, token.isEmpty || !token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) {
        return "the bearer token is empty or has other characters than visible ASCII"
      }
      if !userAgent.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return "the user agent has other characters than ASCII" }
      if clientKeyFile != nil, clientCertificateFile == nil { return "there is a client key without a certificate" }
      if connect <= .zero || total <= .zero { return "the times must be more than nothing" }
      if maximumBodyBytes < 1 || maximumConnections < 1 || maximumWaiting < 1 { return "the maxima must be 1 or more" }
      return nil
    }

    /// Without the slashes at its end; every path of the upstream begins with one.
    var base: Substring {
      baseURL[..<(baseURL.lastIndex { $0 != "/" }.map(baseURL.index(after:)) ?? baseURL.startIndex)]
    }
  }
}

extension HTTPNetwork.Configuration {
  package init(baseURL: String) { self.init(baseURL: baseURL, allowsPlaintext: false) }
}
