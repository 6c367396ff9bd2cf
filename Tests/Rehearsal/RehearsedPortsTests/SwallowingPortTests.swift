import Glibc
import Testing

@testable import RehearsedPorts

@Suite("Swallowing port")
struct SwallowingPortTests {
  /// Copies of the sockets that listen on the port, like those of a process that is being spawned.
  private func copies(listeningOn port: Port) -> [Int32] {
    (Int32(3)..<Int32(getdtablesize())).filter { descriptor in
      var listens: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1 else { return false }
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
      }
      return result == 0 && UInt16(bigEndian: address.sin_port) == port.number
    }.map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
  }

  @Test("after the stop, the port is free even while a process being spawned has a copy of the socket")
  func stop() throws {
    let port = try Port()
    let swallowing = try SwallowingPort(port)
    let copies = copies(listeningOn: port)
    defer { for copy in copies { close(copy) } }
    #expect(copies.count == 1)
    swallowing.stop()
    #expect(throws: Never.self) { _ = try port.listen(backlog: 1) }
  }
}
