package import CCurl

/// Decides which of libcurl's codes mean a failure of TLS: certificates, versions, ciphers.
package enum TrustFailure {
  /// - Parameter trace: The messages of the handshake, which decide for a code with two meanings.
  /// - Returns: True for a failure of TLS, false for all other codes, and if the connection failed during the
  ///   handshake.
  package static func isMeant(by code: CURLcode, _ trace: TLSTrace) -> Bool {
    switch code {
    case CURLE_SSL_CONNECT_ERROR: !trace.hasBrokenOff
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
      CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
      CURLE_USE_SSL_FAILED:
      true
    default: false
    }
  }
}
