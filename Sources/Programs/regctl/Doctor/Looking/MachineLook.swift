internal import Linux

/// Reads the resources that the machine gives to regd, and the groups of the present user.
enum MachineLook {
  static func machine(pid: Int32?) -> MachineFacts {
    var facts = MachineFacts()
    facts.now = Int(WallClock.microseconds / 1_000_000)
    facts.programBuilt = (try? FileStatus(ThisProcess.program))?.modified ?? 0
    facts.isClockSynchronized = WallClock.isSynchronized
    facts.memoryTotalKiB = Hardware.memoryKiB
    facts.memoryAvailableKiB = numbers("/proc/meminfo")["MemAvailable:"] ?? Hardware.memoryKiB
    guard let pid else { return facts }
    let groups = ControlGroups(of: "\(pid)") { try? FileReading.text($0, atMost: 1 << 20) }
    facts.processorQuota = groups.processors
    facts.memoryLimitKiB = groups.memoryBytes.map { $0 / 1024 }
    let membership = ((try? FileReading.text("/proc/\(pid)/cgroup")) ?? "").split(separator: "\n")
    guard let own = membership.first(where: { $0.hasPrefix("0::/") })?.dropFirst(3) else { return facts }
    let times = numbers("/sys/fs/cgroup\(own)/cpu.stat")
    facts.periods = times["nr_periods"] ?? 0
    facts.throttledPeriods = times["nr_throttled"] ?? 0
    facts.outOfMemoryKills = numbers("/sys/fs/cgroup\(own)/memory.events")["oom_kill"] ?? 0
    return facts
  }

  /// Reads a file whose lines each have a name and a number.
  private static func numbers(_ path: String) -> [String: Int] {
    let lines = ((try? FileReading.text(path)) ?? "").split(separator: "\n")
    let pairs = lines.compactMap { line -> (String, Int)? in
      let words = line.split(separator: " ")
      return words.count > 1 ? Int(words[1]).map { (String(words[0]), $0) } : nil
    }
    return Dictionary(pairs) { first, _ in first }
  }

  static func user(_ socket: SocketFacts, _ values: ConfiguredValues) -> UserFacts {
    var facts = UserFacts(id: ThisProcess.effectiveUser)
    facts.name = UserDatabase.name(ofUser: facts.id) ?? "uid \(facts.id)"
    facts.groups = ThisProcess.groups
    facts.groupsToBe = UserDatabase.groups(ofUser: facts.id)
    let names = [values["socket.group"]] + values["access.admin.groups"].split(separator: ",").map(String.init)
    for name in names where !name.isEmpty {
      if let id = try? UserDatabase.group(named: name) { facts.regdGroups[name] = id }
    }
    if case .socket(_, let group, _) = socket.file {
      facts.groupNames[group] = UserDatabase.name(ofGroup: group)
      facts.regdGroups[facts.groupName(group)] = group
    }
    return facts
  }

  /// - Parameters:
  ///   - database: The store's file, or nil for a store without a file.
  ///   - user: The unit's user, or "" if unknown.
  static func places(database: String?, user: String) -> [PlaceFacts] {
    var places: [PlaceFacts] = []
    if let database {
      var place = place(FileSystem.directory(of: database), .store)
      place.newest = [database, "\(database)-wal"].compactMap { (try? FileStatus($0))?.modified }.max()
      if let id = try? UserDatabase.user(named: user) {
        place.obstacle = PathObstacle.find(
          file: database, endings: ["-wal", "-shm"], by: .user(id, groups: UserDatabase.groups(ofUser: id)))
      }
      places.append(place)
    }
    if FileSystem.exists("/var/log/journal") { places.append(place("/var/log/journal", .journal)) }
    return places
  }

  private static func place(_ path: String, _ use: PlaceFacts.Use) -> PlaceFacts {
    var place = PlaceFacts(
      use: use, path: path, isThere: !FileSystem.isMissing(path), room: try? FileSystem.room(at: path))
    if let mount = MountPoint.of(FileSystem.resolved(path) ?? path, in: MountPoint.ofThisProcess) {
      (place.type, place.isReadOnly) = (mount.type, mount.isReadOnly)
    }
    return place
  }
}
