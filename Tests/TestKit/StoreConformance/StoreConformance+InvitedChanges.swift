internal import Registration
import TestDoubles

extension StoreConformance.Scene {
  /// Invitations, and a waiting account.
  struct Invited: Sendable {
    /// Has one free use. A claim holds another, and a pending and a waiting account have one each.
    let many = InvitationScene.invitation(uses: 4)
    /// Its only use is held by a claim.
    let one = InvitationScene.invitation()
    let mailed = InvitationScene.invitation("mailed@example.com", seconds: 60, isMailed: true)
    let fresh = InvitationScene.invitation("invited@example.com", isMailed: true)
    /// The mail of the fresh invitation.
    let mail: MailIntent
    let waiting = InvitationScene.account("waiting@example.com", .waiting)

    init() { mail = InvitationScene.mail(fresh) }
  }
}

extension StoreConformance {
  private static func insert(
    _ store: Accounts, _ scene: Scene, _ state: Account.State
  ) async throws(StoreFailure) {
    var account = scene.fresh
    account.account.state = state
    account.account.terms = AcceptedTerms(version: "1", acceptedAt: scene.later.time)
    let admission = Admission(invitation: scene.invited.many.id, notice: scene.claims.notice)
    _ = try await store.insert(account, request: scene.another, admission, scene.later)
  }

  private static func approve(
    _ store: Accounts, _ scene: Scene, _ state: Account.State
  ) async throws(StoreFailure) {
    _ = try await store.approve(scene.invited.waiting.account.id, to: state, scene.claims.notice, scene.later)
  }

  /// Operations that change invitations, their uses, waiting accounts, or accepted terms.
  static let invitedChanges: [(name: String, change: Change)] = [
    (
      "adding an invitation",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.add(scene.invited.fresh, scene.invited.mail, scene.later)
      }
    ),
    (
      "changing an account's groups",
      { (store, scene) async throws(StoreFailure) in
        let names = ["a", "b"].compactMap { GroupName($0) }
        _ = try await store.changeGroups(
          of: scene.invited.waiting.account.id, adding: names, removing: [], scene.later)
      }
    ),
    (
      "setting a display name",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.setDisplayName(
          of: scene.invited.waiting.account.id, to: DisplayName(stored: "Ada"), having: nil, scene.later)
      }
    ),
    (
      "revoking an invitation",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.revokeInvitation(scene.invited.many.id, scene.later)
      }
    ),
    (
      "inserting an invited account",
      { (store, scene) async throws(StoreFailure) in try await insert(store, scene, .active) }
    ),
    (
      "inserting an invited, waiting account",
      { (store, scene) async throws(StoreFailure) in try await insert(store, scene, .waiting) }
    ),
    (
      "adding an invited claim",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.add(
          scene.claims.fresh, scene.claims.mails[4], invitation: scene.invited.many.id, scene.later)
      }
    ),
    (
      "adding a claim that takes a use over",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.add(
          scene.claims.retyped, scene.claims.mails[5], invitation: scene.invited.one.id, scene.later)
      }
    ),
    (
      "releasing an invited registration",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.release(scene.pending.account.id, seen: Fixtures.time, remembered: true, scene.later)
      }
    ),
    (
      "approving an account",
      { (store, scene) async throws(StoreFailure) in try await approve(store, scene, .active) }
    ),
    (
      "approving an account for the upstream",
      { (store, scene) async throws(StoreFailure) in try await approve(store, scene, .pending) }
    ),
    (
      "disapproving an account",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.disapprove(scene.pending.account.id, seen: Fixtures.time, scene.later)
      }
    ),
    (
      "refusing an account",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.refuse(scene.invited.waiting.account.id, scene.claims.notice, scene.later)
      }
    ),
    (
      "accepting terms",
      { (store, scene) async throws(StoreFailure) in
        let terms = AcceptedTerms(version: "2", acceptedAt: scene.later.time)
        _ = try await store.acceptTerms(
          of: scene.active.account.id, terms, having: scene.active.passwordHash, scene.later)
      }
    ),
  ]
}
