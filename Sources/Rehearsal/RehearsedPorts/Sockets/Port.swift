internal import Linux

/// A port of 127.0.0.1 that remains reserved while nothing listens on it, because this object keeps a socket bound to
/// it. SO_REUSEADDR lets listening sockets come and go in addition. The kernel gives the port to no other process.
///
/// A single listening socket, shut down while connections are to be refused, would not keep the port: on shutdown, Linux
/// releases a port number that it has chosen itself.
package final class Port: Sendable {
  package let number: UInt16
  private let holder: Descriptor

  package init() throws {
    holder = try Self.bound(to: 0)
    number = try holder.localAddress().port ?? 0
  }

  /// Returns a socket that listens on the port.
  func listen(backlog: Int32) throws -> Descriptor {
    let descriptor = try Self.bound(to: number)
    try descriptor.listen(backlog: backlog)
    return descriptor
  }

  /// Connects to the port. Returns nil if nothing listens on it.
  package func connected() throws -> SharedSocket? {
    let descriptor = try Descriptor.socket(.internetStream)
    do throws(SystemError) {
      try descriptor.connect(to: SocketAddress(loopbackPort: number))
      return SharedSocket(descriptor)
    } catch {
      // a listening socket that is closed meanwhile resets the connection
      if [SystemError.connectionRefused, SystemError.connectionReset].contains(error.number) { return nil }
      throw error
    }
  }

  private static func bound(to number: UInt16) throws(SystemError) -> Descriptor {
    let descriptor = try Descriptor.socket(.internetStream)
    descriptor.allowReuseOfAddress()
    try descriptor.bind(to: SocketAddress(loopbackPort: number))
    return descriptor
  }
}
