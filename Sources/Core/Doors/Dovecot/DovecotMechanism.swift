/// A SASL mechanism that sends a login and its password.
enum DovecotMechanism: String, CaseIterable {
  /// One response for login and password (RFC 4616).
  case plain = "PLAIN"
  /// Two responses: the server asks for the login, then for the password.
  case login = "LOGIN"

  init?(_ name: some Collection<UInt8>) {
    guard name.count <= 16 else { return nil }
    self.init(rawValue: String(decoding: name, as: UTF8.self).uppercased())
  }

  var first: Step {
    switch self {
    case .plain: .credentials
    case .login: .name
    }
  }

  /// The response that comes next.
  enum Step {
    case credentials
    case name
    case password(name: [UInt8])

    /// The server's prompt for the response, in base64.
    var prompt: String {
      switch self {
      case .credentials: ""
      case .name: "VXNlcm5hbWU6"
      case .password: "UGFzc3dvcmQ6"
      }
    }
  }
}
