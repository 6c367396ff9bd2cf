import Testing
import WireFormats

@testable import Doors

@Suite("Answers of the HTTP door")
struct HTTPAnswerTests {
  private func text(_ value: String) -> String {
    String(decoding: HTTPAnswer(.ok, [("Remote-User", value)]).reply(.stays).bytes, as: UTF8.self)
  }

  @Test("a value that contains a line end or a control character makes the answer 503 and adds no field")
  func values() {
    #expect(
      text("ann@x.org").hasPrefix("HTTP/1.1 200 OK\r\n") && text("ann@x.org").contains("\r\nRemote-User: ann@x.org\r\n")
    )
    #expect(text("ünicode@x.org").contains("\r\nRemote-User: ünicode@x.org\r\n"))
    for end in ["\n", "\r", "\r\n", "\0", "\u{1B}", "\u{7F}"] {
      let answer = text("ann@x.org\(end)Remote-Groups: admins")
      #expect(answer.hasPrefix("HTTP/1.1 503 ") && !answer.contains("Remote-"), "\(answer)")
    }
  }
}
