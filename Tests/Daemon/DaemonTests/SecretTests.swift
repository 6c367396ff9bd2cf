import RegdClient
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("No password in replies or files", .blocking, .timeLimit(.minutes(10)))
struct SecretTests {
  private let secret = "hunter2 and another 7"

  @Test("the search finds a secret in a file")
  func searchOfSearch() throws {
    try TemporaryDirectory.with { directory in
      #expect(SecretSearch.found(in: directory, [secret]) == [])
      try TextFile.write("a line\nwith \(secret) in it", to: "\(directory)/file")
      #expect(SecretSearch.found(in: directory, [secret]) == ["\(directory)/file: \(secret)"])
    }
  }

  private static func calls(with s: String) -> [String] {
    [
      "registration.validate [\"a@example.com\",\(s),\(s)]", "registration.validate [\(s),\(s),\(s)]",
      "registration.validate [\"a@example.com\",\(s),\"other\"]",
      "registration.register [\"a@example.com\",\(s),\"x\"]",
      "registration.register [\"a@example.com\",\(s),\(s),\"one\"]",
      "registration.register [\"a@example.com\",\(s),\(s),\"one\"]",
      "registration.register [\"b@example.com\",\(s),\(s),\"one\"]",
      "registration.register [\"a@example.com\",\(s),\(s),5]",
      "registration.register {\"email\":\"a@example.com\",\"password\":\(s),\"passwordConfirmation\":\(s),\"more\":1}",
      "session.signIn [\"a@example.com\",\(s)]", "session.signIn [\"b@example.com\",\(s)]",
      "session.signIn [5,\(s)]", "session.signIn {\"password\":\(s)}", "registration.checkEmail [\(s)]",
      "form.open [\"registration\"]", "form.set [1,\"c@example.com\",\(s),\(s)]", "form.submit [1]",
      "form.open [\"signIn\"]", "form.set [2,\"a@example.com\",\(s)]", "form.submit [2]", "form.set [2,null,\(s),7]",
      "account.setPassword {\"email\":\"a@example.com\",\"password\":\(s),\"passwordConfirmation\":\(s)}",
      "account.setPassword {\"email\":\"a@example.com\",\"password\":\(s)}",
      "account.setPassword {\"email\":\"b@example.com\",\"password\":\(s)}",
      "account.import [[{\"email\":\"d@example.com\",\"passwordHash\":\(s)}]]",
      "account.disable {\"email\":\"a@example.com\"}", "session.signIn [\"a@example.com\",\(s)]",
      "account.list []", "account.export []", "events.list []", "daemon.status []", "daemon.metrics []",
    ]
  }

  @Test("no reply, event, metric, log line or file contains a password, wherever a call contains it")
  func everywhere() throws {
    try withRegd { regd in
      let connection = try regd.connect()
      let listener = try regd.connect()
      try listener.send(Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"events.subscribe\"}\n".utf8))
      var told = [String(decoding: try listener.receiveLine() ?? [], as: UTF8.self)]
      let s = "\"\(secret)\""
      for (index, call) in Self.calls(with: s).enumerated() {
        let space = try #require(call.firstIndex(of: " "))
        let method = call[..<space]
        let params = call[call.index(after: space)...]
        try connection.send(
          Array("{\"jsonrpc\":\"2.0\",\"id\":\(index),\"method\":\"\(method)\",\"params\":\(params)}\n".utf8))
        while true {
          let line = String(decoding: try #require(try connection.receiveLine()), as: UTF8.self)
          told.append(line)
          if line.contains("\"id\":\(index),") { break }
        }
      }
      // Broken texts, whose errors describe the expected input and not the received one.
      try connection.send(
        Array("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"session.signIn\",\"params\":[\"a\",\(s)}\n".utf8))
      told.append(String(decoding: try connection.receiveLine() ?? [], as: UTF8.self))
      #expect(told.count > Self.calls(with: s).count + 5)
      for line in told { #expect(!line.contains("hunter2"), "\(line)") }
      let search = SecretSearch.found(in: regd.directory, ["hunter2"])
      #expect(search == [])
      // The search had data to find: unlike the password, the address is in the files.
      #expect(!SecretSearch.found(in: regd.directory, ["a@example.com"]).isEmpty)
      #expect(told.contains { $0.contains("a@example.com") })
    }
  }
}
