package import CCurl

/// The part of a TLS handshake's messages that shows why the handshake failed: because one side refused the other, or
/// because the connection ended.
///
/// libcurl returns CURLE_SSL_CONNECT_ERROR for both. The messages of libcurl and OpenSSL distinguish the two, but change
/// from release to release, but the bytes on the wire do not.
package struct TLSTrace: Equatable, Sendable {
  /// Whether libcurl began a handshake. If not, it failed to set up TLS.
  private var hasBegun = false
  private var isRefused = false

  package init() {}

  /// Takes data that CURLOPT_DEBUGFUNCTION was called with: the header of a TLS record, or a message within a record.
  package mutating func note(_ kind: curl_infotype, _ bytes: UnsafeRawBufferPointer) {
    switch kind {
    case CURLINFO_SSL_DATA_OUT:
      hasBegun = true
      // OpenSSL also sends this alert after the peer has closed the connection
      if let alert = Self.fatalAlert(bytes), alert != Self.decodeError { isRefused = true }
    case CURLINFO_SSL_DATA_IN:
      if Self.fatalAlert(bytes) != nil || Self.isForeign(bytes) { isRefused = true }
    default: break
    }
  }

  /// Whether a failed handshake failed because the connection was reset or closed.
  package var hasBrokenOff: Bool { hasBegun && !isRefused }

  /// The alert decode_error (RFC 8446 §6.2).
  private static let decodeError: UInt8 = 50

  /// The description of a fatal alert (RFC 8446 §6), or nil for all other data. Only alerts are two bytes long.
  private static func fatalAlert(_ bytes: UnsafeRawBufferPointer) -> UInt8? {
    bytes.count == 2 && bytes[0] == 2 ? bytes[1] : nil
  }

  /// Whether five bytes are not the header of a TLS record: its type, 3 and the minor version, the length (RFC 8446
  /// §5.1). The messages of a handshake have other lengths.
  private static func isForeign(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count == 5 && !(20...24 ~= bytes[0] && bytes[1] == 3)
  }
}

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
