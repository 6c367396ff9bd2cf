internal import CLinux
internal import Glibc

/// Resources of the machine, regardless of control groups.
package enum Hardware {
  /// Processors that this process may run on, at least 1.
  package static var usableProcessors: Int { Int(linux_usable_processors()) }

  /// Physical memory.
  package static var memoryKiB: Int { sysconf(Int32(_SC_PHYS_PAGES)) * (sysconf(Int32(_SC_PAGESIZE)) / 1024) }
}

/// The resources that a process's control groups allow (cgroups(7)): the lowest of the limits of its own group and of
/// the enclosing groups.
///
/// Reads both versions of control groups, because a machine may use one for processors and the other for memory.
/// Ignores the limits of cpuset, because sched_getaffinity(2) reports them already.
package struct ControlGroups: Equatable, Sendable {
  /// The limit of processor time, as a number of processors, or nil if unlimited.
  package var processors: Double?
  /// The memory limit, or nil if unlimited.
  package var memoryBytes: Int?

  /// - Parameters:
  ///   - root: Put before each path that is read, "" except in tests.
  ///   - process: The process's id.
  ///   - text: Returns the text of a file, or nil if it cannot be read.
  package init(root: String = "", of process: String = "self", text: (_ path: String) -> String?) {
    guard let groups = text("\(root)/proc/\(process)/cgroup"), let mounts = text("\(root)/proc/self/mountinfo") else {
      return
    }
    let memberships = Self.memberships(groups)
    for mount in Self.mounts(mounts) {
      guard let group = memberships[mount.controllers.first { memberships[$0] != nil } ?? ""] else { continue }
      for directory in Self.directories(of: group, in: mount) {
        read(root + directory, isUnified: mount.controllers == [""], text)
      }
    }
  }

  /// A mounted cgroup file system: its mount point, the group visible there, and its controllers.
  private struct Mount {
    let point: String
    let root: String
    /// The controllers of version 1, or one empty name for version 2.
    let controllers: [String]
  }

  /// Parses lines of /proc/PID/cgroup, `ID:CONTROLLERS:PATH`. Returns the paths by controller.
  private static func memberships(_ text: String) -> [String: String] {
    var groups: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3, fields[2].hasPrefix("/") else { continue }
      for controller in fields[1].split(separator: ",", omittingEmptySubsequences: false) {
        groups[String(controller)] = String(fields[2])
      }
    }
    return groups
  }

  /// Parses lines of proc(5): `ID PARENT DEVICE ROOT POINT OPTIONS [TAGS] - TYPE SOURCE OPTIONS`.
  private static func mounts(_ text: String) -> [Mount] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count > dash + 3 else { return nil }
      let (root, point) = (fields[3], fields[4])
      switch fields[dash + 1] {
      case "cgroup2": return Mount(point: point, root: root, controllers: [""])
      case "cgroup":
        let wanted = fields[dash + 3].split(separator: ",").map(String.init).filter { ["cpu", "memory"].contains($0) }
        return wanted.isEmpty ? nil : Mount(point: point, root: root, controllers: wanted)
      default: return nil
      }
    }
  }

  /// The directories of the group and of its enclosing groups, as far as this mount shows them.
  private static func directories(of group: String, in mount: Mount) -> [String] {
    // in a container, the mount may show only the container's own group and those below it
    var path = group
    if mount.root != "/" { path = path.hasPrefix(mount.root) ? String(path.dropFirst(mount.root.count)) : "" }
    var names = path.split(separator: "/").map(String.init)
    // a group next to or above the mount's root cannot be read there
    if names.contains("..") { names = [] }
    return (0...names.count).map { ([mount.point] + names.prefix($0)).joined(separator: "/") }
  }

  private mutating func read(_ directory: String, isUnified: Bool, _ text: (String) -> String?) {
    func number(_ name: String) -> Int? { text("\(directory)/\(name)").flatMap(Self.number) }
    if isUnified {
      if let words = text("\(directory)/cpu.max")?.split(whereSeparator: \.isWhitespace), words.count == 2 {
        bound(quota: Self.number(words[0]), period: Self.number(words[1]))
      }
      for name in ["memory.max", "memory.high"] { bound(memory: number(name)) }
    } else {
      bound(quota: number("cpu.cfs_quota_us"), period: number("cpu.cfs_period_us"))
      bound(memory: number("memory.limit_in_bytes"))
    }
  }

  /// The limit that a file states, or nil for `max` and -1, which mean no limit.
  private static func number(_ text: some StringProtocol) -> Int? {
    guard let word = text.split(whereSeparator: \.isWhitespace).first, let number = Int(word), number > 0 else {
      return nil
    }
    return number
  }

  private mutating func bound(quota: Int?, period: Int?) {
    guard let quota, let period else { return }
    let share = Double(quota) / Double(period)
    processors = min(processors ?? share, share)
  }

  private mutating func bound(memory: Int?) {
    guard let memory else { return }
    memoryBytes = min(memoryBytes ?? memory, memory)
  }

  /// The systemd service that a process belongs to, such as regd.service, or nil if it belongs to no service.
  package static func service(of process: String = "self") -> String? {
    guard let text = try? FileReading.text("/proc/\(process)/cgroup") else { return nil }
    // a machine may have both versions, and systemd's groups are in one of them
    let groups = text.split(separator: "\n").filter { $0.hasPrefix("0::") || $0.contains(":name=systemd:") }
    return groups.compactMap { $0.split(separator: "/").last }.first { $0.hasSuffix(".service") }.map(String.init)
  }
}
