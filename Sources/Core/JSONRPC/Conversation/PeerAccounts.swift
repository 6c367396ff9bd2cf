import Synchronization

/// The accounts of all users that have connected.
package final class PeerAccounts: Sendable {
  private let requestsPerSecond: Int
  private let accounts = Mutex<[UInt32: PeerAccount]>([:])

  package init(_ limits: Limits) { requestsPerSecond = limits.requestsPerSecondPerUID }

  /// The account of a user, which stays for as long as the server.
  package func account(of uid: UInt32) -> PeerAccount {
    accounts.withLock { accounts in
      if let account = accounts[uid] { return account }
      let account = PeerAccount(uid: uid, requestsPerSecond: requestsPerSecond)
      accounts[uid] = account
      return account
    }
  }

  /// All of them, by uid.
  package var all: [PeerAccount] { accounts.withLock { $0.values.sorted { $0.uid < $1.uid } } }
}
