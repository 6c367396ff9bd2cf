import SecureMemory
import Testing

@Test("wiping overwrites every byte")
func wiping() {
  var bytes: [UInt8] = Array("secret".utf8)
  bytes.withUnsafeMutableBytes { wipe($0) }
  #expect(bytes == [0, 0, 0, 0, 0, 0])
  bytes = Array("words".utf8)
  wipe(&bytes)
  #expect(bytes == [0, 0, 0, 0, 0])
}
