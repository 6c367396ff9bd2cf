import Dialogues
import Doors
import Registration

/// A door that says each line again. One that begins with `?` has an address behind it, and is answered whether that is free.
struct EchoDoor: Door {
  static let name = "echo"

  let greeting: String

  init(_ keys: inout some ConfigurationKeys, at section: String, _ terms: DoorTerms) {
    greeting = keys.string("\(section).greeting", default: "hello")
  }

  func open(_ surroundings: DoorSurroundings) -> any WireProtocol {
    Echo(greeting: greeting, registrar: surroundings.registrar)
  }

  private struct Echo: WireProtocol {
    let name = EchoDoor.name
    let greeting: String
    let registrar: Live<Registrar>

    func dialogue(
      with caller: Caller, _ usage: PeerUsage, _ limits: Limits, wake: @escaping @Sendable () -> Void
    ) -> any Dialogue {
      EchoDialogue(greeting, longest: limits.messageBytes) { [registrar] address in
        await registrar.value.checkAvailability(address, for: Share(uid: caller.uid)) == .available
      }
    }
  }
}
