package import CCurl

/// Which of libcurl's codes mean that TLS came to no agreement.
package enum TrustFailure {
  /// - Parameter message: What libcurl wrote into CURLOPT_ERRORBUFFER. Some of its codes stand for two things, and the words are all
  ///   that tells them apart; the tests have them from libcurl itself.
  /// - Returns: False where the connection failed during the handshake, and for all other codes.
  package static func isMeant(by code: CURLcode, _ message: String) -> Bool {
    switch code {
    case CURLE_SSL_CONNECT_ERROR: !isOfSocket(message)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
      CURLE_USE_SSL_FAILED:
      true
    default: false
    }
  }

  /// Whether a TLS handshake failed because the connection did: reset, or closed (which OpenSSL has two ways to say).
  private static func isOfSocket(_ message: String) -> Bool {
    ["Recv failure: ", "Send failure: ", "OpenSSL SSL_connect: "].contains(where: message.hasPrefix)
      || message.contains("unexpected eof")
  }
}
