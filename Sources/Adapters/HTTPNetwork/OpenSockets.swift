internal import CCurl
internal import Linux

/// The sockets of libcurl's connections, so that one can be looked at before a request goes out on it. Of the loop's thread
/// only; lives longer than the multi handle, whose last connections are closed through it.
///
/// libcurl 7.88 takes a kept-alive connection on which something has arrived for a good one, and what has arrived for the
/// answer to the next request: a 408 for having been idle, or any other unsolicited answer. As a "no" it would be a
/// certain one, of a request that is still to be read.
final class OpenSockets {
  private var descriptors: Set<Int32> = []

  /// - Returns: Whether libcurl has taken the callbacks.
  func observe(_ easy: UnsafeMutableRawPointer) -> Bool {
    curl_set_socket_functions(
      easy,
      { context, descriptor, _ in
        OpenSockets.from(context)?.descriptors.insert(descriptor)
        return CURL_SOCKOPT_OK
      },
      { context, descriptor in
        OpenSockets.from(context)?.descriptors.remove(descriptor)
        return (try? Descriptor(owning: descriptor).close()) == nil ? -1 : 0
      }, Unmanaged.passUnretained(self).toOpaque()) == CURLE_OK
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> OpenSockets? {
    context.map { Unmanaged<OpenSockets>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Whether nothing has come on the connection that is not read yet, not its end either.
  func isSilent(localPort: Int32) -> Bool {
    let same = descriptors.filter { Self.port(of: $0) == localPort }
    return !same.isEmpty
      && same.allSatisfy { !Polling.isReady(.readable($0), atMost: .zero) }
  }

  private static func port(of descriptor: Int32) -> Int32? {
    (try? Descriptor(borrowing: descriptor).localAddress())?.port.map(Int32.init)
  }
}
