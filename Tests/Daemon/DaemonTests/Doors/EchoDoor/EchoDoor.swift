import Doors
import Registration
import WireProtocols

/// A door that echoes each line. A line of `?` and an address gets the reply whether the address is free.
struct EchoDoor: Door {
  static let name = "echo"

  let greeting: String

  init(_ keys: inout some ConfigurationKeys, at section: String, _ terms: DoorTerms) {
    greeting = keys.string("\(section).greeting", default: "hello")
  }

  func open(_ context: DoorContext) -> any WireProtocol {
    Echo(greeting: greeting, registrar: context.registrar)
  }

  private struct Echo: WireProtocol {
    let name = EchoDoor.name
    let greeting: String
    let registrar: Reloadable<Registrar>

    func session(
      with caller: Peer, _ quota: PeerQuota, _ limits: Limits, wake: @escaping @Sendable () -> Void
    ) -> any ProtocolSession {
      EchoSession(greeting, longest: limits.messageBytes) { [registrar] address in
        await registrar.value.checkAvailability(address, for: Share(uid: caller.uid)) == .available
      }
    }
  }
}
