package import Registration
internal import Synchronization
import TestDoubles

/// Heads of the audit that a reader saw while something went wrong. Every later audit must begin with the entries of each of them.
package final class SeenHeads: Sendable {
  private let trees = Mutex<[AuditFrontier]>([])

  package init() {}

  package func read(at store: Accounts) async throws(StoreFailure) {
    let tree = try await store.auditTree()
    trees.withLock { trees in
      if trees.last != tree { trees.append(tree) }
    }
  }

  /// Compares the entries with the present head and all earlier ones.
  ///
  /// - Returns: The problems that were found.
  package func problems(at store: Accounts) async throws -> [String] {
    let entries = try await eventually { () async throws(StoreFailure) in
      try await store.audit(after: 0, limit: 100_000)
    }
    let present = try await eventually { () async throws(StoreFailure) in try await store.auditTree() }
    let leaves = entries.map { $0.leaf(store.cryptography) }
    let verifier = AuditVerifier(store.cryptography)
    var problems: [String] = []
    if leaves.count != present.size { problems.append("\(leaves.count) entries have \(present.size) leaves") }
    for tree in trees.withLock({ $0 }) + [present] {
      let fits =
        tree.size <= leaves.count && verifier.root(leaves[..<tree.size]) == tree.root(store.cryptography)
      if !fits { problems.append("\(leaves.count) entries do not begin with those of a head of size \(tree.size)") }
    }
    return problems
  }
}
