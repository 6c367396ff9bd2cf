internal import Linux
package import Registration

/// `store.backend: sqlite`: a database in a file. Its keys are in `store.sqlite`.
package struct SQLiteBackend: StoreBackend {
  package static let name = "sqlite"
  package static let isDurable = true

  let file: String
  /// How long a change waits for another program's lock.
  let lockMilliseconds: Int32
  /// The size limit, if any.
  let maximumKiB: Int?
  package let isReadOnly: Bool

  /// From this many bytes on, recovering a write-ahead log takes so long that it is worth a message.
  private static let longLog = 16 << 20
  private static let defaultLockMilliseconds: Int32 = 5000

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    file = keys.path("store.sqlite.path", default: "/var/lib/regd/regd.db")
    let lock = keys.seconds(
      "store.sqlite.lockSeconds", default: .milliseconds(Self.defaultLockMilliseconds),
      .milliseconds(1)...(.seconds(3600))
    ).components
    lockMilliseconds = Int32(lock.seconds * 1000 + lock.attoseconds / 1_000_000_000_000_000)
    let maximum = keys.integer("store.sqlite.maximumKiB", default: 0, 0...(1 << 32))
    maximumKiB = maximum == 0 ? nil : maximum
    isReadOnly = keys.flag("store.sqlite.readOnly", default: false)
  }

  package var path: String? { file }

  package var files: [ConfiguredFile] {
    [
      ConfiguredFile(
        "store.sqlite.path", file, isWritten: true,
        companions: [("-wal", "write-ahead log"), ("-shm", "shared memory"), ("-journal", "rollback journal")])
    ]
  }

  /// Checks only a configured lock limit. The default is not checked, because an operator who only shortens
  /// `limits.requestSeconds` need not know it.
  package func check(_ keys: inout some ConfigurationKeys, chosen: String?, requestSeconds: Int) {
    guard chosen == Self.name, lockMilliseconds != Self.defaultLockMilliseconds,
      Int(lockMilliseconds) >= requestSeconds * 1000
    else { return }
    keys.refuse("store.sqlite.lockSeconds", "must be less than limits.requestSeconds, which is \(requestSeconds)")
  }

  package func open(_ context: StoreContext) throws(StoreFailure) -> OpenStore {
    if let log = try? FileStatus("\(file)-wal"), log.size >= Self.longLog {
      context.doing("recovering its write-ahead log (\(log.size >> 20) MiB)")
    }
    let store = try SQLiteStore(
      path: file, busyMilliseconds: lockMilliseconds, maximumBytes: maximumKiB.map { $0 * 1024 },
      isReadOnly: isReadOnly, claimant: context.claimant, damaged: context.damaged,
      observer: context.observer, doing: context.doing)
    return OpenStore(store, probes: store.probes, isNew: store.isNew, close: { await store.close() })
  }
}
