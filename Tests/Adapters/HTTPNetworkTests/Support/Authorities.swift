import Glibc
import RehearsedPorts
import TestDoubles
import TestKit

/// Certificates for one test, in a separate directory. `trusted.pem` and `other.pem` are authorities. `trusted` has
/// signed the server certificates `good`, `expired` and `elsewhere`, and the client certificate `client`.
struct Authorities {
  let directory: String

  func callAsFunction(_ name: String) -> String { "\(directory)/\(name).pem" }

  static func with(_ body: (Authorities) async throws -> Void) async throws {
    try await withTemporaryDirectory { directory in
      let authorities = Authorities(directory: directory)
      try authorities.make()
      try await body(authorities)
    }
  }

  private func make() throws {
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    for name in ["trusted", "other"] {
      let files = ["-keyout", "\(name).key", "-out", "\(name).pem"]
      try openssl(["req", "-x509"] + key + files + ["-days", "2", "-subj", "/CN=\(name)"])
    }
    try write("", to: "index")
    try write(Signing.configuration(index: "index"), to: "ca.cnf")
    let certificates: [(String, String, Signing.Validity)] = [
      ("good", "IP:127.0.0.1", .days(2)), ("expired", "IP:127.0.0.1", .over), ("elsewhere", "DNS:a.example", .days(2)),
      ("client", "DNS:client", .days(2)),
    ]
    for (name, host, validity) in certificates {
      let files = ["-keyout", "\(name).key", "-out", "\(name).csr"]
      try openssl(["req"] + key + files + ["-subj", "/CN=\(name)", "-addext", "subjectAltName=\(host)"])
      try openssl(Signing.arguments(name, by: "trusted", validity, configuration: "ca.cnf", directory: "."))
    }
    let answer = "HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n{\"available\":true}"
    try Program.run(["mkdir", "-p", "emails/name%40example.com"], in: directory)
    try write(answer, to: "emails/name%40example.com/availability")
  }

  func openssl(_ words: [String]) throws { try Program.run(["openssl"] + words, in: directory) }

  func write(_ text: String, to name: String) throws {
    guard let file = fopen("\(directory)/\(name)", "w") else { throw ProgramFailure(description: "fopen: \(errno)") }
    defer { fclose(file) }
    fputs(text, file)
  }

  /// An upstream with a single answer, `{"available":true}` for name@example.com.
  func withServer(_ name: String, _ more: [String] = [], _ body: (_ port: Int) async throws -> Void) async throws {
    let words = [
      "openssl", "s_server", "-HTTP", "-accept", "127.0.0.1:0", "-cert", "\(name).pem", "-key", "\(name).key",
    ]
    let server = try Program.start(words + more, in: directory)
    defer { server.end() }
    // ACCEPT 127.0.0.1:40404
    let output = server.read { $0.contains("ACCEPT ") && $0.hasSuffix("\n") }
    let line = output.split(separator: "\n").last { $0.hasPrefix("ACCEPT ") }
    guard let port = line?.split(separator: ":").last.flatMap({ Int($0) }) else {
      throw ProgramFailure(description: "openssl s_server: \(output)")
    }
    try await body(port)
  }
}
