internal import Registration
import TestDoubles

extension StoreConformance.Scene {
  /// Claims for an address without an account, and claims of the active account.
  struct Claims: Sendable {
    let open = ClaimScene.claim(.registration, "claimed@example.com", request: "claim")
    let rival = ClaimScene.claim(.registration, "claimed@example.com", uid: 8)
    let recovery: AddressClaim
    let change: AddressClaim
    let fresh = ClaimScene.claim(.registration, "claimed@example.com", uid: 9, request: "fresh")
    /// A second claim by the rival's user, who had mistyped the address in the first.
    let retyped = ClaimScene.claim(.registration, "rival@example.com", uid: 8, at: 1)
    /// The mails of all claims, in this order.
    let mails: [MailIntent]
    let notice = ClaimScene.notice(.passwordChanged, "active@example.com")

    init(of account: AccountID) {
      recovery = ClaimScene.claim(.recovery, "active@example.com", of: account)
      change = ClaimScene.claim(.changeOfEmail, "new@example.com", of: account)
      mails = [open, rival, recovery, change, fresh, retyped].map { ClaimScene.mail($0) }
    }

    var prepared: [AddressClaim] { [open, rival, recovery, change] }
  }
}

extension StoreConformance {
  private static func guess(
    _ store: Accounts, _ scene: Scene, attempts: Int
  ) async throws(StoreFailure) {
    _ = try await store.guess(scene.claims.open.id, ClaimScene.guess(false, attempts: attempts), scene.later)
  }

  private static func prove(
    _ store: Accounts, _ scene: Scene, _ state: Account.State
  ) async throws(StoreFailure) {
    let claim = scene.claims.open
    _ = try await store.prove(claim.id, ClaimScene.account(claim, state, at: 1), scene.later)
  }

  /// Operations that change claims or mails, and operations on accounts that also end claims.
  static let claimChanges: [(name: String, change: Change)] = [
    (
      "adding a claim",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.add(scene.claims.fresh, scene.claims.mails[4], scene.later)
      }
    ),
    ("an incorrect code", { (store, scene) async throws(StoreFailure) in try await guess(store, scene, attempts: 5) }),
    (
      "the last incorrect code",
      { (store, scene) async throws(StoreFailure) in try await guess(store, scene, attempts: 1) }
    ),
    (
      "renewing a claim",
      { (store, scene) async throws(StoreFailure) in
        var claim = scene.claims.open
        claim.generation = 2
        claim.resendAt = ClaimScene.time(61)
        _ = try await store.renew(claim, seen: scene.claims.open, scene.claims.notice, scene.later)
      }
    ),
    (
      "ending a claim",
      { (store, scene) async throws(StoreFailure) in try await store.end(scene.claims.open.id) }
    ),
    ("a proof", { (store, scene) async throws(StoreFailure) in try await prove(store, scene, .active) }),
    (
      "a proof that needs the upstream",
      { (store, scene) async throws(StoreFailure) in try await prove(store, scene, .pending) }
    ),
    (
      "inserting an account at a claimed address",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.insert(ClaimScene.account(scene.claims.fresh, at: 1), request: scene.another, scene.later)
      }
    ),
    (
      "a recovery",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.recover(
          scene.claims.recovery.id, of: scene.claims.recovery.account, to: PasswordHash(phc: "new"),
          scene.claims.notice, scene.later)
      }
    ),
    (
      "changing the password",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.changePassword(
          of: scene.active.account.id, from: scene.active.passwordHash, to: PasswordHash(phc: "new"),
          scene.claims.notice, scene.later)
      }
    ),
    (
      "changing the address",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.changeEmail(
          of: scene.active.account.id, from: scene.active.account.email.key, having: nil, to: scene.claims.change.email,
          proving: scene.claims.change.id, scene.claims.notice, scene.later)
      }
    ),
    (
      "deleting an account with claims",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.delete(scene.active.account.id, scene.later)
      }
    ),
    (
      "adding a mail", { (store, scene) async throws(StoreFailure) in try await store.add(scene.claims.notice) }
    ),
    (
      "leasing a mail",
      { (store, scene) async throws(StoreFailure) in _ = try await store.lease(mail: scene.claims.mails[0].id) }
    ),
    (
      "putting a mail off",
      { (store, scene) async throws(StoreFailure) in
        let mail = StoredMail(scene.claims.mails[0], attempts: 3, reason: "offline", next: scene.later.time)
        _ = try await store.putOff(mail: mail)
      }
    ),
    (
      "marking a mail as sent",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.end(mail: scene.claims.mails[0].id, .sent, reason: nil)
      }
    ),
    (
      "a sweep",
      { (store, scene) async throws(StoreFailure) in
        let end = ClaimScene.time(86_400)
        _ = try await store.sweep(at: end, addressesBefore: end, limit: 100)
      }
    ),
  ]
}
