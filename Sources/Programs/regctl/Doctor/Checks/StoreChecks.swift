internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// Checks the place where accounts are kept.
enum StoreChecks {
  static func store(_ facts: Facts) -> Finding? {
    guard let store = facts.daemon.status.result?["store"] else { return AccessChecks.statusIsMissing(facts) }
    let (path, unit) = (store["path"]?.string, facts.daemon.unit)
    let name = path.map(LocalizedMessage.Content.text) ?? .sentence(said(.store))
    if let setback = store["wentBack"] { return wentBack(setback) }
    if let failure = store["failure"]?.string {
      return .problem(
        said(.failure, ["time": .text(store.shown("since")), "reason": .text(failure)]),
        type: searchForOtherProgram(failure, path) ?? advice(failure, path ?? "", unit))
    }
    if let rows = store["damagedRows"]?.integer, rows > 0 {
      let names = (store["damaged"]?.array ?? []).compactMap(\.string).prefix(3)
      return .problem(
        said(.damaged, ["store": name, "count": .number(rows), "rows": .list(names)]),
        type: Finding.typing("regctl backup \(path ?? "STORE").kept; man regd-backup", .backup))
    }
    if let path, store["copied"]?.bool == true {
      return .warning(
        said(.copied, ["store": name]),
        type: Finding.typing(
          "sqlite3 \(path) 'UPDATE installation SET stamp_key = NULL'; systemctl restart \(unit)", .endsSignIns))
    }
    return .ok(said(.works, ["store": name]))
  }

  private static func wentBack(_ setback: JSONValue) -> Finding {
    func number(_ name: String) -> LocalizedMessage.Content { .number(setback[name]?.integer ?? 0) }
    return .problem(
      said(
        .wentBack,
        [
          "timeline": number("timeline"), "entry": number("entry"), "seenTimeline": number("seenTimeline"),
          "seenEntry": number("seenEntry"),
        ]),
      type: Finding.typing(
        "cp -a \"$PGDATA\" /root/timeline-\(setback["seenTimeline"]?.integer ?? 0)", .savesLaterState,
        ["command": .text("regctl accept-store")]))
  }

  private static func said(
    _ key: DoctorStoreMessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]
  ) -> LocalizedMessage { LocalizedMessage(key, values) }

  /// The command that finds the program that keeps the database open or locked.
  ///
  /// - Parameters:
  ///   - failure: The store's reason. A PostgreSQL server may write it in any language, but not its SQLSTATE.
  ///   - path: The SQLite file, or nil for another store.
  /// - Returns: Nil if the failure has another cause.
  static func searchForOtherProgram(_ failure: String, _ path: String?) -> String? {
    if let path {
      let isOpen = failure.contains("by another program") || failure.contains("because another program")
      return isOpen ? Finding.typing("fuser -v \(path)", .otherPrograms) : nil
    }
    guard failure.contains("SQLSTATE 55P03") || failure.contains("has not answered within") else { return nil }
    let sessions = "SELECT pid, usename, xact_start, query FROM pg_stat_activity ORDER BY xact_start LIMIT 5"
    return Finding.typing("sudo -u postgres psql -xc '\(sessions)'", .otherTransactions)
  }

  private static func advice(_ failure: String, _ path: String, _ unit: String) -> String {
    if failure.contains("removed") {
      return Finding.typing("regctl export /root/accounts.jsonl", .savesAccounts, ["path": .text(path)])
    }
    if failure.contains("replaced") || failure.contains("another file") {
      return Finding.typing("systemctl restart \(unit)", .servesWhatIsThere, ["path": .text(path)])
    }
    if failure.contains("full") { return "df -h \(path)" }
    if failure.contains("read-only") || failure.contains("readOnly") { return "ls -l \(path)*; findmnt -T \(path)" }
    return "journalctl -u \(unit) -n 50"
  }

  /// Network file systems. SQLite's write-ahead log needs shared memory and locks, which fail there
  /// (sqlite.org/wal.html).
  private static let ofNetworks = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "lustre", "ocfs2", "gfs2", "virtiofs",
  ]
  private static let inMemory = ["tmpfs", "ramfs"]

  static func fileSystem(_ facts: Facts) -> Finding? {
    guard let place = facts.places.first(where: { $0.use == .store }) else { return nil }
    if !place.isThere, place.path == PlaceFacts().path {
      return .unknown(said(.notYet, ["directory": .text(place.path)]))
    }
    if let barred = PlaceChecks.barred(place, facts.daemon) { return barred }
    if !place.isThere {
      return .problem(
        said(.missing, ["directory": .text(place.path)]),
        type: "install -d -o regd -g regd -m 700 \(place.path)")
    }
    func seen(_ key: DoctorStoreMessageKey) -> LocalizedMessage {
      said(key, ["directory": .text(place.path), "type": .text(place.type)])
    }
    let advice = Finding.typing("findmnt -T \(place.path)", .localDisk)
    if place.isReadOnly {
      return .problem(
        seen(.readOnly), type: "mount -o remount,rw $(findmnt -no TARGET -T \(place.path))")
    }
    if ofNetworks.contains(place.type) || place.type.hasPrefix("fuse") {
      return .problem(seen(.ofNetwork), type: advice)
    }
    if inMemory.contains(place.type) { return .warning(seen(.inMemory), type: advice) }
    if place.type == "overlay" {
      return .warning(seen(.ofContainer), type: advice)
    }
    return .ok(seen(.isOn))
  }

  private static let mebibyte = 1 << 20

  /// Reports a file system as full below 16 MiB of free space, which a checkpoint of the write-ahead log may need.
  /// Warns below 256 MiB, or below 2 % of the file system if that is less. For free inodes, the limits are 8 and 256.
  static func disk(_ facts: Facts) -> Finding? {
    let known = facts.places.filter { $0.room != nil }
    guard !known.isEmpty else { return nil }
    for (limit, isFull) in [(16, true), (256, false)] {
      for place in known {
        guard let room = place.room else { continue }
        let low = isFull ? limit * mebibyte : min(limit * mebibyte, room.totalBytes / 50)
        let isOutOfFiles = room.freeFiles.map { $0 < (isFull ? 8 : 256) } ?? false
        guard room.freeBytes < low || isOutOfFiles else { continue }
        let key: DoctorStoreMessageKey =
          switch (isFull, isOutOfFiles) {
          case (true, true): .fullOfFiles
          case (true, false): .full
          case (false, true): .fewFiles
          case (false, false): .low
          }
        let seen = said(
          key,
          [
            "directory": .text(place.path), "count": .number(room.freeFiles ?? 0),
            "mebibytes": .number(room.freeBytes / mebibyte),
          ])
        let advice =
          place.use == .journal ? "journalctl --vacuum-size=100M" : "df -h \(place.path); df -i \(place.path)"
        return isFull ? .problem(seen, type: advice) : .warning(seen, type: advice)
      }
    }
    let free = known.map { place in
      said(
        .free,
        ["directory": .text(place.path), "mebibytes": .number((place.room?.freeBytes ?? 0) / mebibyte)])
    }
    let all = free.dropFirst().reduce(free[0]) { all, next in
      LocalizedMessage(ListMessageKey.comma, ["first": .sentence(all), "second": .sentence(next)])
    }
    return .ok(all)
  }
}
