internal import CCurl
internal import Linux

/// The parts of a URL, parsed by libcurl because libcurl also uses the URL.
package struct URLParts: Equatable, Sendable {
  /// Normalized by libcurl: `127.1` becomes `127.0.0.1`.
  package let host: String
  package let port: Int

  package enum Failure: Error, Equatable {
    case host
    case port
    /// libcurl does not accept the text as a URL. Holds libcurl's message.
    case unreadable(String)
    /// libcurl failed to parse the text although the text may be a URL, for example because memory is short. Holds
    /// libcurl's message.
    case unread(String)
  }

  /// - Parameter text: A URL with a scheme that libcurl knows. Without a port, the scheme's default port counts.
  package init(_ text: String) throws(Failure) {
    guard let url = curl_url() else { throw .unread(CurlLibrary.refusal) }
    defer { curl_url_cleanup(url) }
    switch curl_url_set(url, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER)) {
    case CURLUE_OK: break
    case CURLUE_BAD_PORT_NUMBER: throw .port
    case CURLUE_NO_HOST: throw .host
    case let code: throw .unreadable(String(cString: curl_url_strerror(code)))
    }
    guard let port = Self.part(CURLUPART_PORT, of: url, UInt32(CURLU_DEFAULT_PORT)).flatMap(Int.init),
      1...65_535 ~= port
    else { throw .port }
    guard let host = Self.part(CURLUPART_HOST, of: url, 0), !host.isEmpty else { throw .host }
    self.host = host
    self.port = port
  }

  /// Whether the URL leads to this machine. libcurl never asks DNS for "localhost".
  package var isLoopback: Bool { host.lowercased() == "localhost" || SocketAddress.isLoopback(host) }

  private static func part(_ part: CURLUPart, of url: OpaquePointer, _ flags: UInt32) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_part(url, part, &text, flags) == CURLUE_OK, let text else { return nil }
    defer { curl_free(text) }
    return String(cString: text)
  }
}
