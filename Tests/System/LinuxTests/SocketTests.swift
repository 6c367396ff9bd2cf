import Linux
import Testing

struct SocketTests {
  @Test("A socket binds to the longest possible path and reports it, and a longer path is refused")
  func paths() throws {
    let directory = try FileSystem.makeTemporaryDirectory("/tmp/linux-")
    defer { FileSystem.removeDirectory(directory) }
    let longest = directory + "/" + String(repeating: "s", count: SocketAddress.longestPath - directory.utf8.count - 1)
    #expect(longest.utf8.count == 107)
    let socket = try Descriptor.socket(.localStream)
    try socket.bind(to: SocketAddress(path: longest))
    let bound = try socket.localAddress()
    #expect(bound.path == longest)
    #expect(bound.port == nil)
    #expect(throws: SystemError("socket address", SystemError.nameTooLong)) { try SocketAddress(path: longest + "s") }
  }

  @Test("A connection on the loopback delivers the sent bytes and then the end")
  func loopback() throws {
    let listening = try Descriptor.socket(.internetStream)
    try listening.bind(to: SocketAddress(loopbackPort: 0))
    try listening.listen(backlog: 1)
    let port = try #require(try listening.localAddress().port)
    let caller = try Descriptor.socket(.internetStream)
    try caller.connect(to: SocketAddress(loopbackPort: port))
    let accepted = try listening.accept()
    try caller.sendAll(Array("hello".utf8))
    #expect(try accepted.receive(atMost: 100) == Array("hello".utf8))
    caller.shutdown(.writing)
    #expect(try accepted.receive(atMost: 100).isEmpty)
  }

  @Test("Connecting to a port without a listener fails with connectionRefused")
  func refused() throws {
    let holder = try Descriptor.socket(.internetStream)
    try holder.bind(to: SocketAddress(loopbackPort: 0))
    let port = try #require(try holder.localAddress().port)
    let caller = try Descriptor.socket(.internetStream)
    #expect(throws: SystemError("connect", SystemError.connectionRefused)) {
      try caller.connect(to: SocketAddress(loopbackPort: port))
    }
  }

  @Test("A local socket reports its peer and its waiting bytes, and does not wait if there is nothing to read")
  func local() throws {
    let pair = try Descriptor.socketPair()
    #expect(try pair.first.peerCredentials().pid == ThisProcess.id)
    #expect(try pair.first.peerCredentials().uid == ThisProcess.user)
    let groups = pair.first.peerGroups()
    #expect(groups != nil)
    #expect(throws: SystemError("recv", SystemError.wouldBlock)) { try pair.first.receive(atMost: 1, waits: false) }
    try pair.second.sendAll([1, 2, 3])
    #expect(pair.first.readableBytes == 3)
    #expect(pair.second.unsentBytes > 0)
  }

  @Test("The groups of a peer that the kernel does not identify are unknown, which differs from no groups")
  func unknownGroups() throws {
    let socket = try Descriptor.socket(.internetStream)
    let groups = socket.peerGroups()
    #expect(groups == nil)
  }

  @Test("Loopback addresses belong to this machine", arguments: ["127.0.0.1", "127.255.0.9", "::1", "[::1]"])
  func loopbackAddresses(host: String) { #expect(SocketAddress.isLoopback(host)) }

  @Test(
    "Other addresses and names do not belong to this machine",
    arguments: ["126.0.0.1", "1.127.0.1", "::2", "::ffff:127.0.0.1", "local", ""])
  func otherAddresses(host: String) { #expect(!SocketAddress.isLoopback(host)) }
}
