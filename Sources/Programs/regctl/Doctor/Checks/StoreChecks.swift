internal import Linux
internal import RegdClient

/// Where accounts are kept.
enum StoreChecks {
  static func store(_ facts: Facts) -> Finding? {
    guard let store = facts.daemon.status.result?["store"] else { return nil }
    let (path, unit) = (store["path"]?.string ?? "the store", facts.daemon.unit)
    if let failure = store["failure"]?.string {
      return .problem("since \(store["since"]?.string ?? "?"): \(failure)", type: advice(failure, path, unit))
    }
    if let rows = store["damagedRows"]?.integer, rows > 0 {
      let names = (store["damaged"]?.array ?? []).compactMap(\.string).prefix(3).joined(separator: ", ")
      return .problem(
        "\(path) has \(rows) \(rows == 1 ? "row" : "rows") that cannot be read: \(names)",
        type: "regctl backup \(path).kept; man regd   # ADMINISTERING: back-up and restore")
    }
    return .ok("\(path) works")
  }

  private static func advice(_ failure: String, _ path: String, _ unit: String) -> String {
    if failure.contains("replaced") || failure.contains("removed") || failure.contains("another file") {
      return "systemctl restart \(unit)   # it then serves what is at \(path)"
    }
    if failure.contains("locked") { return "fuser -v \(path)" }
    if failure.contains("full") { return "df -h \(path)" }
    if failure.contains("read-only") || failure.contains("readOnly") { return "ls -l \(path)*; findmnt -T \(path)" }
    return "journalctl -u \(unit) -n 50"
  }

  /// SQLite's write-ahead log needs shared memory, and its locks are no locks over a network (sqlite.org/wal.html).
  private static let ofNetworks = [
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "lustre", "ocfs2", "gfs2", "virtiofs",
  ]
  private static let inMemory = ["tmpfs", "ramfs"]

  static func fileSystem(_ facts: Facts) -> Finding? {
    guard let place = facts.places.first(where: { $0.use == .store }) else { return nil }
    if !place.isThere, place.path == PlaceFacts().path {
      return .unknown("there is no \(place.path) yet; the unit makes it at the first start")
    }
    if !place.isThere {
      return .problem(
        "there is no directory \(place.path) for the store",
        type: "install -d -o regd -g regd -m 700 \(place.path)")
    }
    let seen = "\(place.path) is on \(place.type)"
    let advice = "findmnt -T \(place.path)   # put store.sqlite.path on a local disk"
    if place.isReadOnly {
      return .problem("\(seen), mounted read-only", type: "mount -o remount,rw $(findmnt -no TARGET -T \(place.path))")
    }
    if ofNetworks.contains(place.type) || place.type.hasPrefix("fuse") {
      return .problem("\(seen), where SQLite's locks and shared memory cannot be relied on", type: advice)
    }
    if inMemory.contains(place.type) { return .warning("\(seen): accounts are gone with the next boot", type: advice) }
    if place.type == "overlay" {
      return .warning("\(seen), a container's own layer: accounts are gone with the container", type: advice)
    }
    return .ok(seen)
  }

  private static let mebibyte = 1 << 20

  /// Full is less than 16 MiB, which a checkpoint of the write-ahead log may need; a warning comes at 256 MiB, or at 2 % of
  /// a smaller file system.
  static func disk(_ facts: Facts) -> Finding? {
    let known = facts.places.filter { $0.room != nil }
    guard !known.isEmpty else { return nil }
    for (limit, isFull) in [(16, true), (256, false)] {
      for place in known {
        guard let room = place.room else { continue }
        let low = isFull ? limit * mebibyte : min(limit * mebibyte, room.totalBytes / 50)
        let isOutOfFiles = room.freeFiles.map { $0 < (isFull ? 8 : 256) } ?? false
        guard room.freeBytes < low || isOutOfFiles else { continue }
        let what = isOutOfFiles ? "\(room.freeFiles ?? 0) more files" : "\(room.freeBytes / mebibyte) MiB"
        let seen = "\(place.path) has room for \(what)\(isFull ? "" : " only")"
        let advice =
          place.use == .journal ? "journalctl --vacuum-size=100M" : "df -h \(place.path); df -i \(place.path)"
        return isFull ? .problem(seen, type: advice) : .warning(seen, type: advice)
      }
    }
    return .ok(known.map { "\($0.path) has \(($0.room?.freeBytes ?? 0) / mebibyte) MiB free" }.joined(separator: ", "))
  }
}
