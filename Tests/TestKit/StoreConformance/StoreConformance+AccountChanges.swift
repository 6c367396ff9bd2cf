internal import Registration
import TestDoubles

extension StoreConformance {
  static let accountChanges: [(name: String, change: Change)] = [
    (
      "insert",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.insert(scene.fresh, request: scene.another, scene.later)
      }
    ),
    (
      "note",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.note(scene.another, for: scene.pending.account.id)
      }
    ),
    (
      "activate",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.activate(scene.pending.account.id, scene.later)
      }
    ),
    (
      "resume",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.resume(scene.pending.account.id, seen: Fixtures.time, scene.later)
      }
    ),
    (
      "putOff",
      { (store, scene) async throws(StoreFailure) in
        let delivery = Delivery(attempts: 3, failure: .timeout, next: scene.later.time)
        _ = try await store.putOff(scene.pending.account.id, seen: Fixtures.time, delivery)
      }
    ),
    (
      "release",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.release(scene.pending.account.id, seen: Fixtures.time, remembered: true, scene.later)
      }
    ),
    (
      "replaceHash",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.replaceHash(
          of: scene.active.account.id, from: scene.active.passwordHash, to: PasswordHash(phc: "new"), scene.later)
      }
    ),
    (
      "confirm",
      { (store, scene) async throws(StoreFailure) in _ = try await store.confirm(scene.active.account.id, at: nil) }
    ),
    (
      "setPassword",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.setPassword(of: scene.active.account.id, to: PasswordHash(phc: "new"), scene.later)
      }
    ),
    (
      "setEnabled",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.setEnabled(scene.active.account.id, false, scene.later)
      }
    ),
    (
      "signOut",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.signOut(scene.active.account.id, having: nil, epoch: .another, scene.later)
      }
    ),
    (
      "noteGuessed",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.noteGuessed(scene.active.account.id, scene.later)
      }
    ),
    (
      "delete",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.delete(scene.active.account.id, scene.later)
      }
    ),
    (
      "importing",
      { (store, scene) async throws(StoreFailure) in
        _ = try await store.importing([scene.fresh, scene.imported], scene.later)
      }
    ),
  ]
}
