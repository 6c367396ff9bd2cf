internal import Reasons

/// saslauthd's protocol on one connection. The request is login, password, service, realm, and perhaps the client's
/// address, each preceded by its length in 16 bits, the higher byte first. The reply is one string that begins with
/// `OK` or `NO`. A connection has one request. See saslauthd/ipc_unix.c and lib/checkpw.c of Cyrus SASL, which sends
/// the fifth string since 2.1.28.
struct SaslauthdLoginProtocol: LoginProtocol {
  /// The most bytes of a string. saslauthd refuses longer strings.
  static let longest = 1024
  private static let needed = 4

  mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Received {
    var strings: [UnsafeRawBufferPointer] = []
    var rest = bytes[...]
    while strings.count <= Self.needed, rest.count >= 2 {
      let length = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
      guard length <= Self.longest else {
        // drops a fifth string that is too long, like one that arrives too late, because the login is complete without
        // it
        if strings.count == Self.needed { break }
        return .message(bytes.count, Self.reply("NO too long"))
      }
      guard rest.count >= 2 + length else { break }
      let end = rest.startIndex + 2 + length
      strings.append(UnsafeRawBufferPointer(rebasing: rest[(rest.startIndex + 2)..<end]))
      rest = rest[end...]
    }
    // does not wait for a fifth string that has not arrived with the fourth: libsasl sends all in one write, and most
    // versions send four
    guard strings.count >= Self.needed else { return .unfinished }
    let address = strings.count > Self.needed ? strings[Self.needed] : UnsafeRawBufferPointer(rebasing: bytes[..<0])
    let login = Login(
      name: Array(strings[0]), realm: Array(strings[3]), password: Array(strings[1]),
      origin: Array(address.prefix { $0 != UInt8(ascii: ";") }))
    // the connection is for this request alone: any bytes after it are dropped
    return .message(bytes.count, Output(asks: (0, .signIn(login))))
  }

  mutating func write(_ answer: DoorAnswer, to number: Int) -> Output {
    switch answer {
    case .right: Self.reply("OK")
    case .wrong: Self.reply("NO")
    case .refused(let reason): Self.reply("NO \(reason.name)")
    // Closes without an answer, which libsasl reports as SASL_FAIL. It reports every NO as SASL_BADAUTH, a wrong
    // password.
    case .away, .found, .none, .ended, .groups: .end
    }
  }

  private static func reply(_ text: String) -> Output {
    let text = Array(text.utf8)
    return Output([UInt8(text.count >> 8), UInt8(text.count & 0xFF)] + text, ends: true)
  }
}
