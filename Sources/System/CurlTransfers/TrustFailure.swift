package import CCurl

/// Decides which of libcurl's codes mean a failure of TLS: certificates, versions, ciphers.
package enum TrustFailure {
  /// - Parameter message: The text that libcurl wrote into CURLOPT_ERRORBUFFER. The message decides for codes with two
  ///   meanings. The tests obtain such messages from libcurl itself.
  /// - Returns: True for a failure of TLS, false for all other codes, and if the connection failed during the
  ///   handshake.
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

  /// Whether a TLS handshake failed because the connection was reset or closed. OpenSSL has two messages for a closed
  /// connection.
  private static func isOfSocket(_ message: String) -> Bool {
    ["Recv failure: ", "Send failure: ", "OpenSSL SSL_connect: "].contains(where: message.hasPrefix)
      || message.contains("unexpected eof")
  }
}
