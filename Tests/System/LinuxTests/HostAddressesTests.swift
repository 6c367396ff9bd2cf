import Linux
import Testing

@Suite("Addresses of hosts")
struct HostAddressesTests {
  @Test("a name that is not an address is looked up, and its addresses are")
  func found() throws {
    let addresses = try HostAddresses.of("localhost")
    #expect(!HostAddresses.isAddress("localhost"))
    #expect(!addresses.isEmpty && addresses.allSatisfy(HostAddresses.isAddress), "\(addresses)")
  }

  @Test("an address is its only address", arguments: ["127.0.0.1", "::1", "192.0.2.7"])
  func address(_ text: String) throws {
    #expect(HostAddresses.isAddress(text))
    #expect(try HostAddresses.of(text) == [text])
  }

  @Test("a text that no host can have as its name fails, and the reason is in words")
  func impossible() {
    let failure = #expect(throws: HostAddresses.Failure.self) { _ = try HostAddresses.of("a b") }
    #expect(failure?.text.isEmpty == false)
  }
}
