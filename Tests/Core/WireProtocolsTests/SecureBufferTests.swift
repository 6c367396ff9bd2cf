import Testing
import WireProtocols

@Suite("A secure buffer")
struct SecureBufferTests {
  @Test("bytes are kept in order, one by one and several at once, also when the memory grows")
  func appended() {
    var held = SecureBuffer()
    var model: [UInt8] = []
    for number in 0..<1000 {
      let byte = UInt8(truncatingIfNeeded: number)
      held.append(byte)
      [byte, 1].withUnsafeBytes { held.append($0) }
      model += [byte, byte, 1]
      let (bytes, count) = (Array(held.bytes), held.count)
      #expect(bytes == model && count == model.count)
    }
    held.removeAll()
    held.append(7)
    let bytes = Array(held.bytes)
    #expect(bytes == [7])
  }
}
