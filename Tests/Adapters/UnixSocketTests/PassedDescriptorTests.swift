import Glibc
import RegdProcesses
import TestKit
import Testing

/// Bytes at which a read ends although more are there (unix(7)): regd is told of them once.
@Suite("Descriptors and bytes out of band", .timeLimit(.minutes(10)))
struct PassedDescriptorTests {
  private let ping = Array(#"{"jsonrpc":"2.0","id":7,"method":"rpc.ping"}"#.utf8)
  private let pong = #"{"jsonrpc":"2.0","id":7,"result":"pong"}"#

  @Test("texts behind one that a descriptor came with are answered, and regd keeps no descriptor")
  func descriptors() throws {
    try withRegd { regd in
      let caller = try RawCaller(regd.socket)
      try caller.send(ping)
      #expect(try caller.readLine() == pong)
      let before = try regd.descriptors()
      // all of it is there before regd looks
      kill(regd.process.pid, SIGSTOP)
      for _ in 0..<3 { try caller.send(ping, with: STDERR_FILENO) }
      try caller.send(ping)
      kill(regd.process.pid, SIGCONT)
      for _ in 0..<4 { #expect(try caller.readLine() == pong) }
      // of what regd itself opens for a moment, nothing stays
      while try regd.descriptors() > before {}
    }
  }

  @Test("texts behind a byte out of band are answered")
  func outOfBand() throws {
    try withRegd { regd in
      let caller = try RawCaller(regd.socket)
      kill(regd.process.pid, SIGSTOP)
      try caller.send(ping)
      let isSent = caller.sendOutOfBand(0x20)
      try caller.send(ping)
      kill(regd.process.pid, SIGCONT)
      for _ in 0..<2 { #expect(try caller.readLine() == pong) }
      #expect(isSent || errno == EOPNOTSUPP)
    }
  }
}
