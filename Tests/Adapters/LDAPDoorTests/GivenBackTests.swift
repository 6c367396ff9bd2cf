import AddressNormalization
import Doors
import JSONRPC
import Methods
import Registration
import TestDoubles
import Testing
import WireProtocols

@testable import LDAPDoor

/// Tests callers of the LDAP door that leave after every byte and at every stage.
@Suite("Release of callers' resources at the LDAP door", .timeLimit(.minutes(10)))
struct GivenBackTests {
  private static let text =
    Wire.bind("you@example.org", "correct horse") + Wire.search("dc=example,dc=org", Wire.equal("mail", "you"))
    + Wire.search("dc=example,dc=org", Wire.equal("cn", "staff")) + Wire.extended(Wire.whoAmI)
    + Wire.bind("you@example.org", "other horse", id: 4) + Wire.unbind

  private static func wire(_ registrar: Reloadable<Registrar>, _ store: any StoreUnderTest) -> any WireProtocol {
    let normalizer = UnicodeNormalizer()
    let administrator = Administrator(
      store: store.accounts, hasher: PlainHasher(), hashes: PlainHasher(), time: FixedTime(), forgive: { _ in },
      registrar: registrar)
    let context = DoorContext(
      door: "directory", terms: DoorTerms(domain: "example.org"), counts: DoorCounts(), registrar: registrar,
      administrator: administrator, normalizer: normalizer, refused: { _ in },
      methods: JSONRPCMethods(Dispatcher(table: MethodTable([]), limits: Limits())))
    return DoorWire(LDAPDoor.name, context) { _ in LDAPStage.machine(mayAlwaysSearch: true) }
  }

  private static func registrar(_ store: any StoreUnderTest, _ hasher: any PasswordHasher) -> Reloadable<Registrar> {
    let normalizer = UnicodeNormalizer()
    let rules = RegistrationRules(
      email: EmailRules(normalizer: normalizer), password: PasswordPolicy(normalizer: normalizer))
    return Reloadable(Registrar(rules: rules, store: store.accounts, hasher: hasher, network: nil, time: FixedTime()))
  }

  @Test(
    "the door frees all resources of a caller that leaves, even while its password waits for hashing",
    arguments: [false, true])
  func everywhere(_ isSilent: Bool) async {
    let store = MemoryStore { _ in }
    let registrar = Self.registrar(store, PlainHasher())
    let password = Password(utf8: Array("correct horse".utf8))
    _ = await registrar.value.register(
      RegistrationEntry(email: "you@example.org", password: password, passwordConfirmation: password))
    let wire = Self.wire(isSilent ? Self.registrar(store, SilentHasher()) : registrar, store)
    #expect(await LeavingCallers(wire, isSilent: isSilent).leave(after: Self.text) == [])
  }
}
