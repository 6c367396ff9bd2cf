import Registration
import TestKit
import Testing

@testable import HTTPNetwork

/// Tests against `openssl s_server`, and against sockets that do not speak TLS properly.
@Suite("TLS", .timeLimit(.minutes(10)))
struct TLSTests {
  private func expect(
    _ expected: Result<Bool, NetworkFailure>, port: Int, _ change: (inout HTTPNetwork.Configuration) -> Void
  ) async throws {
    try await withNetwork(port: port) {
      $0.baseURL = "https://127.0.0.1:\(port)"
      change(&$0)
    } body: { network, reports in
      #expect(await network.askAboutSomebody() == expected, "\(reports.all)")
      if case .failure = expected { #expect(reports.all.map(\.sendings) == [0]) }
    }
  }

  @Test("HTTPNetwork trusts only the configured authority, and only a certificate for the right host and time")
  func certificates() async throws {
    try await Authorities.with { authorities in
      try await authorities.withServer("good") { port in
        try await expect(.success(true), port: port) { $0.caFile = authorities("trusted") }
        try await expect(.failure(.untrusted), port: port) { $0.caFile = authorities("other") }
        try await expect(.failure(.untrusted), port: port) { $0.caFile = nil }
        try await expect(.failure(.untrusted), port: port) { $0.caFile = authorities("nowhere") }
        try await expect(.failure(.untrusted), port: port) { $0.caFile = "\(authorities.directory)/errors" }
        // another name for the same host
        try await expect(.failure(.untrusted), port: port) {
          $0.caFile = authorities("trusted")
          $0.baseURL = "https://localhost:\(port)"
        }
      }
      for name in ["expired", "elsewhere"] {
        try await authorities.withServer(name) { port in
          try await expect(.failure(.untrusted), port: port) { $0.caFile = authorities("trusted") }
        }
      }
    }
  }

  @Test(
    "a server without a common TLS version or cipher is untrusted",
    arguments: ["-tls1_1", "-no_tls1_2 -no_tls1_3", "-tls1_3 -ciphersuites TLS_AES_128_CCM_8_SHA256"])
  func noCommonVersion(_ options: String) async throws {
    try await Authorities.with { authorities in
      let words =
        options.split(separator: " ").map(String.init)
        + (options.contains("tls1_3 ") ? [] : ["-cipher", "ALL@SECLEVEL=0"])
      try await authorities.withServer("good", words) { port in
        try await expect(.failure(.untrusted), port: port) { $0.caFile = authorities("trusted") }
      }
    }
  }

  @Test("HTTPNetwork presents the client certificate to a server that requests it")
  func clientCertificate() async throws {
    try await Authorities.with { authorities in
      let asking = ["-Verify", "1", "-verify_return_error", "-CAfile", "trusted.pem"]
      try await authorities.withServer("good", asking) { port in
        try await expect(.success(true), port: port) {
          $0.caFile = authorities("trusted")
          $0.clientCertificateFile = authorities("client")
          $0.clientKeyFile = "\(authorities.directory)/client.key"
        }
        // a file that does not exist, and a key with a passphrase that would have to be typed
        try await expect(.failure(.untrusted), port: port) {
          $0.caFile = authorities("trusted")
          $0.clientCertificateFile = authorities("nowhere")
        }
        try authorities.openssl(["ec", "-aes128", "-passout", "pass:x", "-in", "client.key", "-out", "locked.key"])
        try await expect(.failure(.untrusted), port: port) {
          $0.caFile = authorities("trusted")
          $0.clientCertificateFile = authorities("client")
          $0.clientKeyFile = "\(authorities.directory)/locked.key"
        }
      }
      // with TLS 1.3 the client finishes its handshake and sends the request before the server has checked for a
      // certificate
      try await authorities.withServer("good", asking + ["-tls1_3"]) { port in
        try await withNetwork(port: port) {
          $0.baseURL = "https://127.0.0.1:\(port)"
          $0.caFile = authorities("trusted")
        } body: { network, reports in
          #expect(await network.askAboutSomebody() == .failure(.failed), "\(reports.all)")
        }
      }
      try await authorities.withServer("good", asking + ["-tls1_2"]) { port in
        try await expect(.failure(.untrusted), port: port) { $0.caFile = authorities("trusted") }
      }
    }
  }

  enum Handshake: CaseIterable, Sendable {
    case resetAtOnce, closedAtOnce, resetLater, closedLater, closedWithin
    case plain, alert, silence
  }

  @Test(
    "if a handshake fails, the server is offline after a connection error and untrusted after a protocol error",
    arguments: Handshake.allCases)
  func handshake(_ handshake: Handshake) async throws {
    let server = try RawServer { connection in
      switch handshake {
      case .resetAtOnce: return connection.reset()
      case .closedAtOnce: return connection.close()
      default: _ = connection.readSome()
      }
      switch handshake {
      case .resetLater: connection.reset()
      case .closedWithin: connection.write("\u{16}\u{3}\u{3}\u{0}\u{50}abc")
      case .plain: connection.write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
      case .alert: connection.write("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}")
      case .silence: connection.waitForEnd()
      default: break
      }
    }
    let isProtocol = [.plain, .alert].contains(handshake)
    try await expect(.failure(isProtocol ? .untrusted : .offline), port: server.port) {
      if handshake == .silence { $0.connect = .milliseconds(300) }
    }
    server.close()
  }

  @Test(
    "a TLS answer that is cut off without a close_notify is malformed",
    arguments: ["Content-Length: 99\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n99\r\n"])
  func cutOff(_ beginning: String) async throws {
    try await Authorities.with { authorities in
      try authorities.write(
        "HTTP/1.1 200 OK\r\n\(beginning){\"available\":true}", to: "emails/name%40example.com/availability")
      try await authorities.withServer("good") { port in
        try await withNetwork(port: port) {
          $0.baseURL = "https://127.0.0.1:\(port)"
          $0.caFile = authorities("trusted")
        } body: { network, reports in
          #expect(await network.askAboutSomebody() == .failure(.malformedResponse), "\(reports.all)")
        }
      }
    }
  }
}
