import TestDoubles
import Testing

@testable import JSONRPC

@Suite("Look-ups")
struct LookUpTests: Talking {
  private func isLookUp(_ text: String) -> [Bool] {
    let talk = talk()
    talk.send(text)
    return talk.pending.map(\.isLookUp)
  }

  @Test("other work, a batch that contains other work, and a costly text are not look-ups")
  func others() {
    let long = String(repeating: "x", count: 32 * Parameters.lightWeight + 32)
    #expect(isLookUp(request("1", "later", #"["x"]"#)) == [false])
    #expect(isLookUp("[\(request("1", "looksUp", #"["x"]"#)),\(request("2", "later", #"["x"]"#))]") == [false])
    #expect(isLookUp("[\(request("1", "later", #"["x"]"#)),\(request("2", "looksUp", #"["x"]"#))]") == [false])
    #expect(isLookUp(request("1", "looksUp", "[\"\(long)\"]")) == [false])
    #expect(isLookUp("[\(request("1", "looksUp", "[\"\(long)\"]")),\(request("2", "looksUp", #"["x"]"#))]") == [false])
  }

  @Test("a look-up counts as one alone and in a batch with immediate calls, and gets a normal reply")
  func lookUps() async {
    #expect(isLookUp(request("1", "looksUp", #"["x"]"#)) == [true])
    #expect(isLookUp("[\(request("1", "looksUp", #"["x"]"#)),\(request("2", "now"))]") == [true])
    let talk = talk()
    talk.send(request("1", "looksUp", #"["x"]"#) + request("2", "looksUp", "[1]"))
    #expect(talk.receive().contains(#""id":2,"error":{"code":-32602"#))
    await talk.settle()
    #expect(talk.receive() == #"{"jsonrpc":"2.0","id":1,"result":"x"}"# + "\n")
  }
}
