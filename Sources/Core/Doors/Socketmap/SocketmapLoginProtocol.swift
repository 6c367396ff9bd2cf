internal import Reasons
internal import Registration

/// Postfix's socketmap on one connection: netstrings `MAP KEY`, each answered before the next.
struct SocketmapLoginProtocol: LoginProtocol {
  /// The most bytes of a request.
  static let longest = 10_000

  /// Returns the canonical spelling of a domain whose addresses may sign in here, or nil for any other domain.
  private var domain: @Sendable (String) -> String?

  init(domain: @escaping @Sendable (String) -> String?) { self.domain = domain }

  mutating func adopt(_ new: SocketmapLoginProtocol) { domain = new.domain }

  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Received {
    switch Netstring.read(bytes, longest: Self.longest) {
    case .unfinished: .unfinished
    case .impossible: .message(bytes.count, .end)
    case .whole(let request, let count): .message(count, reply(to: request))
    }
  }

  private func reply(to request: Slice<UnsafeRawBufferPointer>) -> Output {
    let map = request.prefix { $0 != UInt8(ascii: " ") }
    guard map.endIndex < request.endIndex else { return Self.reply("PERM a request is a map, a space and a key") }
    let key = request[(map.endIndex + 1)...]
    switch String(decoding: map, as: UTF8.self) {
    case "accounts": return Output(asks: (0, .find(name: Array(key))))
    case "domains":
      guard let name = String(validating: key, as: UTF8.self), let domain = domain(name) else { return Self.notFound }
      return Self.reply("OK \(domain)")
    default: return Self.reply("PERM the maps are accounts and domains")
    }
  }

  mutating func write(_ answer: DoorAnswer, to number: Int) -> Output {
    switch answer {
    case .found(let account):
      switch account.state {
      // a disabled account still has a mailbox, although its owner cannot sign in
      case .active, .disabled: Self.reply("OK \(account.name)")
      // the address is taken, but its account does not exist yet: neither an OK nor a NOTFOUND would be correct
      case .pending, .waiting: Self.reply("TEMP account.\(account.state.rawValue)")
      }
    case .none: Self.notFound
    case .away(let reason, _), .refused(let reason): Self.reply("TEMP \(reason.name)")
    case .right, .wrong, .ended, .groups: Self.reply("TEMP \(ErrorReason.internal.name)")
    }
  }

  /// The reply for an unknown key. Postfix does not recognize it without the trailing space.
  private static var notFound: Output { reply("NOTFOUND ") }

  private static func reply(_ text: String) -> Output { Output(Netstring.of(text)) }
}

/// A length in decimal digits, a colon, as many bytes, and a comma (D. J. Bernstein, "Netstrings", 1997).
enum Netstring {
  /// The result of reading at the beginning of some bytes.
  enum Reading {
    case unfinished
    /// - Parameter count: The bytes of the netstring, from the length to the comma.
    case whole(Slice<UnsafeRawBufferPointer>, count: Int)
    case impossible
  }

  /// - Parameter longest: The most bytes between colon and comma.
  static func read(_ bytes: UnsafeRawBufferPointer, longest: Int) -> Reading {
    var (length, index) = (0, 0)
    while index < bytes.count, bytes[index] != UInt8(ascii: ":") {
      let digit = Int(bytes[index]) - Int(UInt8(ascii: "0"))
      // a length has no leading zero
      guard (0...9).contains(digit), index == 0 || length > 0 else { return .impossible }
      length = length * 10 + digit
      guard length <= longest else { return .impossible }
      index += 1
    }
    guard index < bytes.count else { return .unfinished }
    guard index > 0 else { return .impossible }
    let end = index + 1 + length
    guard end < bytes.count else { return .unfinished }
    guard bytes[end] == UInt8(ascii: ",") else { return .impossible }
    return .whole(bytes[(index + 1)..<end], count: end + 1)
  }

  static func of(_ text: String) -> [UInt8] { Array("\(text.utf8.count):\(text),".utf8) }
}
