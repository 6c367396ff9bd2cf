/// How openssl-ca(1) signs requests for certificates. openssl-x509(1) cannot make an expired certificate, because
/// OpenSSL 3.5 refuses a negative number of days.
package enum Signing {
  package enum Validity: Sendable {
    /// From now on.
    case days(Int)
    /// A day in the past.
    case over
  }

  /// A configuration file for `arguments`.
  ///
  /// - Parameter index: The path of the list of certificates, a file that exists, and is empty at first.
  package static func configuration(index: String) -> String {
    """
    [ca]
    default_ca = ca
    database = \(index)
    policy = names
    rand_serial = yes
    copy_extensions = copyall
    unique_subject = no
    [names]
    commonName = supplied

    """
  }

  /// The arguments of openssl(1).
  ///
  /// - Parameters:
  ///   - authority: The path of the authority's certificate and key, without `.pem` and `.key`.
  ///   - name: The path of the request, without `.csr`; the certificate becomes `.pem`.
  ///   - directory: Where openssl(1) keeps a copy.
  package static func arguments(
    _ name: String, by authority: String, _ validity: Validity, configuration: String, directory: String
  ) -> [String] {
    let dates =
      switch validity {
      case .days(let count): ["-days", String(count)]
      case .over: ["-startdate", "20200101000000Z", "-enddate", "20200102000000Z"]
      }
    return [
      "ca", "-batch", "-notext", "-md", "sha256", "-config", configuration, "-outdir", directory,
      "-cert", "\(authority).pem", "-keyfile", "\(authority).key", "-in", "\(name).csr", "-out", "\(name).pem",
    ] + dates
  }
}
