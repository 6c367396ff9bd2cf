import Glibc
import RegdProcesses
import TestKit
import Testing

/// Bytes at which a read ends early although more have arrived (unix(7)). The kernel notifies regd of them only once.
@Suite("Descriptors and bytes out of band", .timeLimit(.minutes(10)))
struct PassedDescriptorTests {
  private let ping = Array(#"{"jsonrpc":"2.0","id":7,"method":"rpc.ping"}"#.utf8)
  private let pong = #"{"jsonrpc":"2.0","id":7,"result":"pong"}"#

  @Test("regd answers messages that follow passed descriptors, and keeps no descriptor")
  func descriptors() throws {
    try withRegd { regd in
      let caller = try RawCaller(regd.socket)
      try caller.send(ping)
      #expect(try caller.readLine() == pong)
      var pipes: [Int32] = [-1, -1]
      try #require(pipe(&pipes) == 0)
      defer { close(pipes[0]) }
      // all bytes have arrived before regd reads
      kill(regd.process.pid, SIGSTOP)
      for _ in 0..<3 { try caller.send(ping, with: pipes[1]) }
      close(pipes[1])
      try caller.send(ping)
      kill(regd.process.pid, SIGCONT)
      for _ in 0..<4 { #expect(try caller.readLine() == pong) }
      // the pipe ends when no process has its write end any more
      var byte: UInt8 = 0
      #expect(read(pipes[0], &byte, 1) == 0)
    }
  }

  @Test("regd answers messages that follow an out-of-band byte")
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
