package import JSONRPC
internal import LoginVerdicts
internal import Methods
internal import Reasons
internal import Registration
package import WireProtocols

/// The JSON-RPC methods of regd's own socket, for the door below. Other doors cannot use them, so that none depends on
/// JSON-RPC.
package struct JSONRPCMethods: Sendable {
  fileprivate let dispatcher: Dispatcher

  package init(_ dispatcher: Dispatcher) { self.dispatcher = dispatcher }
}

/// JSON-RPC for programs that may only sign in and call what `allow` permits, whichever user runs them.
package struct JSONRPCDoor: Door {
  package static let name = "jsonrpc"

  /// A right of programs at this door, in addition to signing in.
  enum Permission: String, CaseIterable {
    case exists, register, setPassword, delete

    fileprivate var methods: Set<String> {
      switch self {
      case .exists: ["registration.checkEmail"]
      case .register: ["registration.register", "registration.validate"]
      case .setPassword: ["account.get", "account.setPassword"]
      case .delete: ["account.get", "account.delete", "owner.delete"]
      }
    }
  }

  private let permissions: Set<Permission>
  private let answerSeconds: Int

  /// `account.get`, `account.setPassword` and `account.delete` also reveal this: for an unknown address they fail with
  /// `account.notFound`.
  package var tellsAddresses: Bool { !permissions.isDisjoint(with: [.exists, .setPassword, .delete]) }

  package init(_ keys: inout some DoorKeys, at section: String, _ terms: DoorTerms) {
    answerSeconds = terms.answerSeconds
    let key = "\(section).allow"
    var permissions: Set<Permission> = []
    for text in keys.list(key, default: []) {
      if let permission = Permission(rawValue: text) {
        permissions.insert(permission)
      } else {
        let all = Permission.allCases.map(\.rawValue).joined(separator: ", ")
        keys.refuse(key, "must be some of \(all), not \"\(text)\"")
      }
    }
    self.permissions = permissions
  }

  package func open(_ context: DoorContext) -> any WireProtocol {
    let methods = permissions.reduce(into: ["session.signIn"] as Set) { $0.formUnion($1.methods) }
    let gate = SignInGate(
      address: { [registrar = context.registrar, terms = context.terms] name in
        guard let address = LoginName.address(Array(name.utf8), realm: [], terms),
          LoginName.mayEnter(address, terms, registrar.with { $0.rules.email })
        else { return nil }
        return address
      }, groups: context.terms.groups, refused: context.refused)
    let signIn = SignInMethod.make(context.registrar, context.normalizer, behind: gate).sharing()
    // with `registration.conceal`, a door that tells addresses has peers, or regd does not start
    let ownCheckEmail = CheckEmailMethod.make(context.registrar, mayAsk: permissions.contains(.exists)).sharing()
    let fence = Self.fence(context)
    var replaced = [signIn, fence?.enclosing(ownCheckEmail) ?? ownCheckEmail]
    if !context.terms.groups.isEmpty {
      let register = RegisterMethod.make(
        context.registrar, context.normalizer, stampFor: GroupRequirement(context.terms.groups),
        refused: context.refused
      ).sharing()
      replaced.append(fence?.enclosing(register) ?? register)
    }
    let dispatcher = context.methods.dispatcher.restricted(
      to: { methods.contains($0) || $0.hasPrefix("rpc.") || $0.hasPrefix("$/") }, replacing: replaced,
      changing: { fence?.enclosing($0) ?? $0 }, counting: "session.signIn",
      { [counts = context.counts] in
        // a caller that has left, or has cancelled its request, got no verdict
        if $0 != .cancelled { counts.note($0.map { LoginVerdict($0.kind) } ?? .right, reason: $0) }
      }
    )
    return Wire(
      door: context.door, speech: JSONRPCProtocol(dispatcher, access: .open, explainsDenial: false),
      answerSeconds: answerSeconds)
  }

  /// The fence around accounts of other domains than `domains`, or nil if there is no such list.
  private static func fence(_ context: DoorContext) -> DomainFence? {
    let domains = context.terms.domains
    guard !domains.isEmpty else { return nil }
    return DomainFence(context.administrator) { [registrar = context.registrar] email in
      // A string that is not an address reaches no account. The method itself reports the problem.
      guard let address = try? registrar.with({ $0.rules.email }).addressOfAccount(email).get() else { return true }
      return domains.contains(address.key.domain)
    }
  }

  private struct Wire: WireProtocol {
    let name = JSONRPCDoor.name
    let door: String
    let speech: JSONRPCProtocol
    let answerSeconds: Int

    func session(
      with caller: Peer, _ quota: PeerQuota, _ limits: Limits, wake: @escaping @Sendable () -> Void
    ) -> any ProtocolSession {
      var caller = caller
      caller.door = door
      return speech.session(with: caller, quota, limits, wake: wake)
    }

    func renew(_ session: any ProtocolSession, with caller: Peer) { speech.renew(session, with: caller) }

    func limits(_ limits: Limits) -> Limits { DoorLimits.of(limits, idleSeconds: 0, answerSeconds: answerSeconds) }

    func text(of refusal: Refusal) -> [UInt8] { speech.text(of: refusal) }
  }
}
