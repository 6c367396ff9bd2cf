internal import CCurl
internal import Linux

/// Tracks the sockets of libcurl's connections, so that regd can check a connection before it sends a request on it.
/// Used on the loop's thread only. Must outlive the multi handle, because libcurl closes its last connections through
/// these callbacks.
///
/// libcurl 7.88 reuses a kept-alive connection on which bytes have arrived, and takes these bytes for the answer to the next
/// request: a 408 after idling, or any other unsolicited answer. If that answer were a "no", regd would take it as certain
/// although the upstream has not read the request yet.
final class OpenSockets {
  private var descriptors: Set<Int32> = []

  /// Registers the callbacks that libcurl calls when the handle's connection opens and closes its socket.
  ///
  /// - Returns: CURLE_OK if libcurl accepts the callbacks.
  func observe(_ easy: UnsafeMutableRawPointer) -> CURLcode {
    curl_set_socket_functions(
      easy,
      { context, descriptor, _ in
        OpenSockets.from(context)?.descriptors.insert(descriptor)
        return CURL_SOCKOPT_OK
      },
      { context, descriptor in
        OpenSockets.from(context)?.descriptors.remove(descriptor)
        return (try? Descriptor(owning: descriptor).close()) == nil ? -1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> OpenSockets? {
    context.map { Unmanaged<OpenSockets>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether the connection with this local port has no unread bytes and its peer has not closed it. False if no known
  /// socket has the port.
  func isSilent(localPort: Int32) -> Bool {
    let same = descriptors.filter { Self.port(of: $0) == localPort }
    return !same.isEmpty
      && same.allSatisfy { !Polling.isReady(.readable($0), atMost: .zero) }
  }

  private static func port(of descriptor: Int32) -> Int32? {
    (try? Descriptor(borrowing: descriptor).localAddress())?.port.map(Int32.init)
  }
}
