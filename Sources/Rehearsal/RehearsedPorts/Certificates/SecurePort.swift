internal import Linux
internal import Synchronization

/// TLS on a port, with a valid or an invalid certificate, by openssl(1) and socat(1).
package final class SecurePort: Sendable {
  package let caFile: String
  private let port: Port
  private let certificates: Certificates
  /// The prefix of this port's file names, because several servers may share a directory.
  private let prefix: String
  private let losesAbruptly: Bool

  /// - Parameter losesAbruptly: Whether the client gets only a FIN when the service closes the connection. Otherwise
  ///   socat(1) sends close_notify, which some clients do not treat as the end, and waits for the client's
  ///   close_notify.
  package init(_ port: Port, directory: String, losesAbruptly: Bool = false) throws {
    self.port = port
    self.losesAbruptly = losesAbruptly
    certificates = try Certificates.shared(directory)
    prefix = "\(directory)/port-\(port.number)-"
    caFile = prefix + "ca.pem"
    try FileWriting.write(certificates.authority, to: caFile, permissions: 0o600)
  }

  deinit { removeFiles() }

  /// A TLS server with an invalid certificate. It forwards nothing to the service.
  func impostor(_ kind: Certificates.Kind) throws -> ServingProcess {
    let chain = try chain(kind)
    return try ServingProcess(
      try Programs.openssl(),
      ["s_server", "-accept", "127.0.0.1:\(port.number)", "-cert", chain, "-key", chain, "-quiet", "-www"],
      on: port, log: log)
  }

  /// A TLS server that forwards everything to a port without TLS.
  package func terminator(to plain: Port, _ kind: Certificates.Kind = .good) throws -> ServingProcess {
    let chain = try chain(kind)
    return try ServingProcess(
      try Programs.socat(),
      [
        "OPENSSL-LISTEN:\(port.number),bind=127.0.0.1,reuseaddr,fork,backlog=128,cert=\(chain),verify=0\(losesAbruptly ? ",shut-down" : "")",
        "TCP4:127.0.0.1:\(plain.number)",
      ],
      on: port, log: log)
  }

  package func removeFiles() {
    for name in Certificates.Kind.allCases.map(\.rawValue) + ["ca", "log"] { FileSystem.remove("\(prefix)\(name).pem") }
  }

  private var log: String { prefix + "log.pem" }

  private func chain(_ kind: Certificates.Kind) throws -> String {
    let path = "\(prefix)\(kind.rawValue).pem"
    try certificates.write(kind, to: path)
    return path
  }
}

/// A program that listens on a port, with all processes that it forks. None outlives this process: a shell in their
/// process group kills the group when this process's end of a socket closes. The program and its forks hold the other
/// end. It therefore closes when the last of them has ended.
package final class ServingProcess: Sendable {
  private let pid: Int32
  /// This process's end of the socket.
  let leash: SharedSocket
  private let hasStopped = Atomic(false)

  /// Starts the program, and returns when it listens.
  ///
  /// - Parameter log: The file for its standard error.
  init(_ program: String, _ arguments: [String], on port: Port, log: String) throws {
    let pair = try Descriptor.socketPair()
    let theirs = pair.second
    leash = SharedSocket(pair.first)
    let script = "(read -r _ <&3; kill -KILL 0) & exec \"$@\""
    pid = try ChildProcess.start(
      try Programs.shell(), ["-c", script, "sh", program] + arguments,
      [0: .null, 1: .null, 2: .appended(path: log), 3: .parents(theirs.number)], resetsSignals: true)
    try theirs.close()
    do { try waitUntilListening(port) } catch {
      stop()
      throw PortFailure(description: "\(program): \(error) \((try? FileReading.text(log)) ?? "")")
    }
  }

  deinit { stop() }

  /// Kills the program and its forks, and returns when all have ended and the port is free.
  package func stop() {
    // only once, because the kernel may then give the id to another process
    guard !hasStopped.exchange(true, ordering: .relaxed) else { return }
    Signal.kill.send(to: -pid)
    _ = try? leash.descriptor.receive(atMost: 1)
    ChildProcess.reap(pid)
    leash.close()
  }

  /// Tries to connect until the program listens. Between two attempts, watches for the program's end.
  private func waitUntilListening(_ port: Port) throws {
    for _ in 0..<150_000 {
      if (try port.connected()) != nil { return }
      if ChildProcess.hasEnded(pid, within: .milliseconds(2)) {
        throw PortFailure(description: "ended before it listened.")
      }
    }
    throw PortFailure(description: "did not listen within five minutes.")
  }
}
