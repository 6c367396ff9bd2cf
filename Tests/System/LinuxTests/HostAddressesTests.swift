import Linux
import Testing

@Suite("Addresses of hosts")
struct HostAddressesTests {
  @Test("looking up a host name returns addresses")
  func found() throws {
    let addresses = try HostAddresses.of("localhost")
    #expect(!HostAddresses.isAddress("localhost"))
    #expect(!addresses.isEmpty && addresses.allSatisfy(HostAddresses.isAddress), "\(addresses)")
  }

  @Test("looking up an address returns only that address", arguments: ["127.0.0.1", "::1", "192.0.2.7"])
  func address(_ text: String) throws {
    #expect(HostAddresses.isAddress(text))
    #expect(try HostAddresses.of(text) == [text])
  }

  @Test("looking up an impossible host name fails with a reason in words")
  func impossible() {
    let failure = #expect(throws: HostAddresses.Failure.self) { _ = try HostAddresses.of("a b") }
    #expect(failure?.text.isEmpty == false)
  }
}
