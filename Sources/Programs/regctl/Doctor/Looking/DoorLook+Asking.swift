internal import Linux
internal import Localization

extension DoorLook {
  /// The question to a protocol that needs no login, and the beginning of its answer.
  private struct Question {
    let bytes: [UInt8]
    let beginning: String

    init?(_ wire: String) {
      switch wire {
      case "dovecot": self.init("", "VERSION\t1\t")
      case "http": self.init("GET / HTTP/1.0\r\n\r\n", "HTTP/1.1 401 ")
      case "jsonrpc": self.init(#"{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}"# + "\n", "{")
      // A look-up for an impossible domain. The answer is any netstring.
      case "socketmap": self.init("9:domains x,", "")
      // An anonymous bind with the message number 1. The answer is a BER sequence, which begins with 0x30, the
      // character 0.
      case "ldap":
        self.init(
          bytes: [0x30, 0x0c, 0x02, 0x01, 0x01, 0x60, 0x07, 0x02, 0x01, 0x03, 0x04, 0x00, 0x80, 0x00], beginning: "0")
      // saslauthd sends nothing before it has a login
      default: return nil
      }
    }

    private init(_ text: String, _ beginning: String) { self.init(bytes: Array(text.utf8), beginning: beginning) }

    private init(bytes: [UInt8], beginning: String) { (self.bytes, self.beginning) = (bytes, beginning) }
  }

  static func answer(_ door: DoorFacts, seconds: Int) -> DoorFacts.Answer {
    do throws(SystemError) {
      let socket = try connection(to: door.address, seconds: seconds)
      guard let question = Question(door.wire) else { return .answered }
      try socket.sendAll(question.bytes)
      var answer: [UInt8] = []
      let deadline = ContinuousClock.now + .seconds(seconds)
      repeat {
        guard Polling.isReady(.readable(socket.number), atMost: max(.zero, deadline - .now)) else { return .silent }
        let more = try socket.receive(atMost: 1024)
        guard !more.isEmpty else { break }
        answer += more
      } while answer.count < max(1, question.beginning.utf8.count)
      if answer.isEmpty { return closed }
      return answer.starts(with: question.beginning.utf8) ? .answered : .silent
    } catch {
      switch error.number {
      case SystemError.connectionRefused: return .refused
      case SystemError.permissionDenied: return .denied
      case SystemError.connectionReset, SystemError.brokenPipe: return closed
      case SystemError.wouldBlock: return .silent
      default: return .failed(.text(error.text))
      }
    }
  }

  /// The answer of a door that closes the connection without sending a byte. It does so if this user is not one of its
  /// peers, or is denied. The user root may always connect.
  private static var closed: DoorFacts.Answer { ThisProcess.effectiveUser == 0 ? .silent : .denied }

  private static func connection(to address: String, seconds: Int) throws(SystemError) -> Descriptor {
    let port = SocketAddress(loopback: address)
    let socket = try Descriptor.socket(
      port == nil ? .localStream : address.hasPrefix("[") ? .internet6Stream : .internetStream)
    socket.setSendTimeout(seconds: seconds)
    if let port { try socket.connect(to: port) } else { try socket.connect(to: SocketAddress(path: address)) }
    return socket
  }
}
