import Registration
import Testing
import WireFormats
import WireProtocols

@testable import Doors

struct HTTPCredentialsTests {
  typealias Stage = LoginProtocolStage<HTTPLoginProtocol>

  private func asked(_ lines: String, isTrusted: Bool = false) -> [String] {
    var stage = Stage(isTrusted: isTrusted)
    stage.send("GET / HTTP/1.1\r\nHost: regd\r\n\(lines)\r\n") { _ in .wrong }
    return stage.asked.map(\.described)
  }

  private func asked(credentials: String) -> [String] { asked("Authorization: \(credentials)\r\n") }

  @Test(
    "credentials in broken base64 ask no question",
    arguments: [
      "Basic", "Basic ", "Basic =", "Basic ====", "Basic eTp", "Basic eTp5=", "Basic eTp5=A==", "Basic eTp=5",
      "Basic eTp5 eTp5",
      "Basic eT-_", "Basic eTp\tA", "Basic eTo", "Basic eTo=\u{a0}", "Basic\teTp5", "Basic:eTp5", "BasiceTp5",
      "Basi eTp5",
      "Basic eTp=", "Basic e===", "Basic eToé", "Basic eTp5,eTp5",
    ])
  func brokenBase64(_ value: String) { #expect(asked(credentials: value).isEmpty) }

  @Test("base64 with stray bits after the last byte is refused, because a password would have two encodings")
  func strayBits() {
    #expect(asked(credentials: "Basic eTo=") == ["y|||"])
    #expect(asked(credentials: "Basic eTp=").isEmpty)
    #expect(asked(credentials: "Basic eTpwcA==") == ["y||pp|"])
    #expect(asked(credentials: "Basic eTpwcB==").isEmpty)
  }

  @Test("credentials without a colon or with another scheme ask no question")
  func noColon() {
    #expect(asked(credentials: "Basic eW91").isEmpty)
    #expect(asked(credentials: "Bearer \(yours)").isEmpty && asked(credentials: "Digest username=\"you\"").isEmpty)
    #expect(asked(credentials: yours).isEmpty)
  }

  @Test("the scheme is case-insensitive, several spaces may follow it, and the first colon separates name and password")
  func scheme() {
    for value in ["Basic \(yours)", "bAsIC   \(yours)", "BASIC \(yours)  "] {
      #expect(asked(credentials: value) == [DoorQuestion.yours], "\(value)")
    }
  }

  @Test("the protocol passes on name and password unchanged, even if they are empty, contain NUL or are not UTF-8")
  func handedOn() {
    #expect(asked(credentials: "Basic Og==") == ["|||"])
    #expect(asked(credentials: "Basic w7w6w6Q=") == ["ü||ä|"])
    #expect(asked(credentials: "Basic AHk6AP8=") == ["\0y||\0\u{fffd}|"])
  }

  @Test("the protocol decodes every byte of a password, with each length of padding")
  func allBytes() {
    for length in 253...256 {
      let password = (0..<length).map { UInt8($0) }
      var stage = Stage()
      stage.send("GET / HTTP/1.0\r\nAuthorization: Basic \(Base64.encoded(Array("n:".utf8) + password))\r\n\r\n")
      guard case .signIn(let login) = stage.asked.first else {
        Issue.record("no question for \(length) bytes")
        continue
      }
      #expect(login.password.withBytes { Array($0) } == password && login.name == [UInt8(ascii: "n")])
    }
  }

  @Test(
    "the protocol ignores the origin that an untrusted caller sends",
    arguments: ["X-Real-IP: 192.0.2.1", "X-Forwarded-For: 192.0.2.1"])
  func untrusted(_ line: String) {
    let credentials = "Authorization: Basic \(yours)\r\n"
    #expect(asked("\(line)\r\n\(credentials)") == [DoorQuestion.yours])
    #expect(asked("\(line)\r\n\(credentials)", isTrusted: true) == [DoorQuestion.yours + "192.0.2.1"])
  }

  @Test(
    "a trusted caller's origin is X-Real-IP, or the last entry of X-Forwarded-For, which the proxy itself wrote",
    arguments: [
      ("X-Real-IP: 192.0.2.1\r\nX-Forwarded-For: 192.0.2.2\r\n", "192.0.2.1"),
      ("X-Forwarded-For: 192.0.2.2\r\nx-real-ip:  2001:db8::1 \r\n", "2001:db8::/64"),
      ("X-Real-IP: 192.0.2.1\r\nX-Real-IP: 192.0.2.3\r\n", "192.0.2.3"),
      ("X-Real-IP:\r\nX-Forwarded-For: 192.0.2.2\r\n", "192.0.2.2"),
      ("X-Forwarded-For: evil, 192.0.2.9 ,\t192.0.2.2\r\n", "192.0.2.2"),
      ("X-Forwarded-For: evil\r\nX-Forwarded-For: 192.0.2.8,192.0.2.2\r\n", "192.0.2.2"),
      ("X-Forwarded-For: evil,\r\n", ""), ("X-Forwarded-For: evil\r\nX-Forwarded-For:\r\n", ""),
      ("X-Forwarded-For: ,\r\n", ""),
      // some proxies add the port, which differs on each connection
      ("X-Forwarded-For: 198.51.100.7:40001\r\n", "198.51.100.7"),
      ("X-Forwarded-For: evil, [2001:db8::7]:40001\r\n", "2001:db8::/64"),
      ("X-Forwarded-For: 192.0.2.9:1, 198.51.100.7:40002\r\n", "198.51.100.7"),
      ("X-Real-IP: 198.51.100.7:40001\r\n", "198.51.100.7"), ("X-Real-IP: [2001:db8::7]\r\n", "2001:db8::/64"),
      ("X-Real-IP: evil, 198.51.100.7:40003\r\n", "198.51.100.7"),
      ("X_Real_IP: evil\r\nForwarded: for=evil\r\n", ""), ("", ""),
    ])
  func origins(_ lines: String, _ origin: String) {
    #expect(
      asked("Authorization: Basic \(yours)\r\n\(lines)", isTrusted: true) == [DoorQuestion.yours + origin])
  }

  @Test("a door trusts the named users and groups, by default not even root, and never a caller unknown to the kernel")
  func trust() {
    func caller(_ uid: UInt32, _ gid: UInt32) -> Peer { Peer(uid: uid, gid: gid, pid: 1) }
    let nobody = HTTPDoor()
    #expect(!nobody.trusts(caller(0, 0)) && !nobody.trusts(caller(33, 33)))
    let door = HTTPDoor(trusted: .init(uids: [33, 4_000_000_000, .max], gids: [80, .max]))
    #expect(door.trusts(caller(33, 1)) && door.trusts(caller(7, 80)))
    #expect(!door.trusts(caller(34, 33)) && !door.trusts(caller(80, 7)) && !door.trusts(caller(0, 0)))
    #expect(!door.trusts(caller(4_000_000_000, .max)) && !door.trusts(caller(.max, .max)))
  }
}
