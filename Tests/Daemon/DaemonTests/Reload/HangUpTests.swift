import Glibc
import Linux
import RegdClient
import RegdProcesses
import RehearsedNetworks
import RehearsedUpstream
import TestDoubles
import TestKit
import Testing

/// SIGHUP at every stage of a process.
@Suite("Reload: SIGHUP", .blocking, .timeLimit(.minutes(10)))
struct HangUpTests {
  @Test("SIGHUP reads the configuration again; the log reports a bad file, and regd keeps running")
  func reloads() throws {
    try ReloadableRegd.with { it in
      try it.write("limits: {depth: x}")
      kill(it.regd.process.pid, SIGHUP)
      try reached { it.regd.process.output.contains("The new configuration was refused; the running one is unchanged") }
      #expect(it.regd.process.output.contains("\(it.file):1: limits.depth: must be a whole number"))
      #expect(try it.generation() == 1)
      try it.write("limits: {depth: 32}")
      kill(it.regd.process.pid, SIGHUP)
      try reached { try it.limit("depth") == 32 }
      try reached { it.regd.process.output.contains("The configuration was reloaded; changed: limits.depth") }
      #expect(it.regd.process.end() == 0)
    }
  }

  @Test("SIGHUP never ends regd, however early it arrives, and the reload follows the start")
  func early() throws {
    try TemporaryDirectory.with { directory in
      let arguments =
        "--config \(Places.root)/Config/regd.yaml --store-backend memory --socket-group= --socket-path \(directory)/s"
      // From the moment at which regd's own code runs.
      let script = """
        \(Places.regd) \(arguments) & pid=$!
        until grep -q '^SigCgt:.*[13579bdf]$' /proc/$pid/status; do :; done
        kill -HUP $pid; while [ ! -S \(directory)/s ]; do kill -HUP $pid; done
        until grep -q 'was reloaded' \(directory)/run.log; do :; done
        kill -TERM $pid; wait $pid; exit $?
        """
      let (status, output) = try RegdProcess.run(
        program: "/bin/sh", arguments: ["-c", script], directory: directory)
      #expect(status == 0, "\(output)")
    }
  }

  @Test("the log reports a SIGHUP while regd stops, and the requests in flight finish")
  func late() throws {
    try TemporaryDirectory.with { directory in
      let held = try Gate()
      let upstream = try UpstreamServer(
        Script(), directory: directory, onRequest: { if $0.kind == .acted { held.pass() } })
      defer { upstream.stop() }
      let network = "{baseURL: \"\(upstream.baseURL)\", totalSeconds: 25}"
      try ReloadableRegd.with("network: {backend: http, http: \(network)}\nshutdown: {graceSeconds: 60}") { it in
        held.close()
        let caller = try RegdConversation(path: it.regd.socket)
        try caller.send("registration.checkEmail", ["email": "a@example.com"])
        held.awaitArrival()
        kill(it.regd.process.pid, SIGTERM)
        try reached { it.regd.process.output.contains("Stopping: finishing the requests in flight") }
        kill(it.regd.process.pid, SIGHUP)
        try reached {
          it.regd.process.output.contains("SIGHUP: the configuration is not reloaded, because regd is stopping")
        }
        held.open()
        guard case .reply(_, .success(let result)) = try caller.receive() else {
          Issue.record("what was in flight has failed")
          return
        }
        #expect(result["available"]?.bool == true)
        #expect(it.regd.process.wait() == 0)
        #expect(!it.regd.process.output.contains("was reloaded"))
      }
    }
  }

  @Test("regd notifies the service manager of a reload and of its end, whether it succeeds or fails")
  func told() throws {
    try TemporaryDirectory.with { directory in
      let manager = try Descriptor.socket(.localDatagram)
      try manager.bind(to: SocketAddress(path: "\(directory)/manager"))
      let file = "\(directory)/regd.yaml"
      try TextFile.write("", to: file)
      let regd = try Program.start(
        [
          "sh", "-c", #"echo $$ > pid; exec env "$@""#, "sh", "NOTIFY_SOCKET=\(directory)/manager",
          "REGD_STORE_BACKEND=memory", "REGD_SOCKET_GROUP=", "REGD_SOCKET_PATH=\(directory)/s", Places.regd, "--config",
          file,
        ], in: directory)
      defer { regd.end() }
      func message(with word: String) throws -> [Substring] {
        while true {
          guard Polling.isReady(.readable(manager.number), atMost: .seconds(Patience.seconds)) else {
            let errors = TextFile.read("\(directory)/errors") ?? ""
            throw ProgramFailure(description: "regd does not send \(word): \(errors.suffix(2000))")
          }
          let lines = String(decoding: try manager.receive(atMost: 4096), as: UTF8.self).split(separator: "\n")
          if lines.contains(Substring(word)) { return lines }
        }
      }
      _ = try message(with: "READY=1")
      let pid = try #require(TextFile.read("\(directory)/pid").flatMap { Int32($0.dropLast()) })
      for text in ["foo: 1", "limits: {depth: 32}"] {
        try TextFile.write(text, to: file)
        kill(pid, SIGHUP)
        let reloading = try message(with: "RELOADING=1")
        #expect(!reloading.contains("READY=1"))
        let stamp = try #require(reloading.first { $0.hasPrefix("MONOTONIC_USEC=") }?.dropFirst(15))
        #expect(Int64(stamp).map { $0 > 0 && $0 <= MonotonicClock.microseconds } == true)
        _ = try message(with: "READY=1")
      }
    }
  }
}
