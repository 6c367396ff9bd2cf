import Linux
import Testing

@testable import Daemon

/// Checks the limits of control groups, read from files in the kernel's format.
@Suite("Control groups")
struct ControlGroupsTests {
  private func groups(_ files: [String: String]) -> ControlGroups { ControlGroups(root: "/r") { files[$0] } }

  private static let unified = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"

  private func unified(
    _ limits: [String: String], group: String = "/system.slice/regd.service"
  ) -> ControlGroups {
    var files = ["/r/proc/self/cgroup": "0::\(group)\n", "/r/proc/self/mountinfo": Self.unified]
    for (name, text) in limits { files["/r/sys/fs/cgroup\(name)"] = text }
    return groups(files)
  }

  @Test("files that are missing, empty or malformed set no limit")
  func nothing() {
    let none = groups([:])
    #expect(none.processors == nil && none.memoryBytes == nil)
    for (cgroup, mounts) in [
      ("", ""), ("0::/a", ""), ("", Self.unified), ("nonsense\n::\n1:cpu", "1 2 3\n- - -\n\n"),
      ("0::/a", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2"),
    ] {
      let files = [
        "/r/proc/self/cgroup": cgroup, "/r/proc/self/mountinfo": mounts, "/r/sys/fs/cgroup/a/memory.max": "5",
      ]
      #expect(groups(files) == none)
    }
    for (cpu, memory) in [
      ("max 100000\n", "max\n"), ("", ""), ("x y", "x"), ("-1 100000", "-1"), ("50000", "0"), ("5 0", ""),
    ] {
      #expect(
        unified([
          "/system.slice/regd.service/cpu.max": cpu, "/system.slice/regd.service/memory.max": memory,
        ]) == none)
    }
  }

  @Test("regd uses the lowest limit of its own group and the groups around it")
  func ancestors() {
    let found = unified([
      "/system.slice/regd.service/cpu.max": "400000 100000\n", "/system.slice/cpu.max": "150000 100000\n",
      "/system.slice/regd.service/memory.max": "1000000\n", "/system.slice/memory.max": "3000000\n",
      "/memory.max": "max\n",
    ])
    #expect(found.processors == 1.5 && found.memoryBytes == 1_000_000)
    #expect(unified(["/system.slice/regd.service/memory.high": "7"]).memoryBytes == 7)
    #expect(unified(["/memory.max": "9"], group: "/").memoryBytes == 9)
    // A sibling's limit does not count.
    #expect(unified(["/system.slice/other.service/memory.max": "7", "/other/memory.max": "7"]).memoryBytes == nil)
  }

  @Test("in a container, the group may be the root of the mount or lie above it")
  func containers() {
    let mount = "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n"
    for group in ["/docker/abc", "/", "/../elsewhere"] {
      let files = [
        "/r/proc/self/cgroup": "0::\(group)\n", "/r/proc/self/mountinfo": mount,
        "/r/sys/fs/cgroup/memory.max": "11", "/r/sys/fs/cgroup/docker/abc/memory.max": "1",
      ]
      #expect(groups(files).memoryBytes == 11, "\(group)")
    }
  }

  @Test("version 1 works, also next to version 2")
  func version1() {
    let files = [
      "/r/proc/self/cgroup": "12:memory:/m/regd\n4:cpu,cpuacct:/c\n2:pids:/p\n0::/u\n",
      "/r/proc/self/mountinfo": """
      31 30 0:27 / /sys/fs/cgroup/unified rw shared:5 - cgroup2 cgroup2 rw
      33 30 0:29 / /sys/fs/cgroup/memory rw shared:7 - cgroup cgroup rw,memory
      34 30 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:8 - cgroup cgroup rw,cpu,cpuacct
      35 30 0:31 / /sys/fs/cgroup/pids rw shared:9 - cgroup cgroup rw,pids

      """,
      "/r/sys/fs/cgroup/memory/m/regd/memory.limit_in_bytes": "9223372036854771712\n",
      "/r/sys/fs/cgroup/memory/m/memory.limit_in_bytes": "268435456\n",
      "/r/sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us": "200000\n",
      "/r/sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_period_us": "100000\n",
      "/r/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "-1\n",
      "/r/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000\n",
    ]
    let found = groups(files)
    #expect(found.processors == 2 && found.memoryBytes == 268_435_456)
  }

  @Test("regd uses the lower value of machine and group, and at least one processor")
  func machine() {
    func machine(_ share: Double?, _ bytes: Int?) -> Machine {
      var groups = ControlGroups { _ in nil }
      (groups.processors, groups.memoryBytes) = (share, bytes)
      return Machine(processors: 8, memoryKiB: 1000, groups: groups)
    }
    #expect([nil, 0.2, 1.9, 2, 100].map { machine($0, nil).processors } == [8, 1, 1, 2, 8])
    #expect([nil, 1024, 1 << 40].map { machine(nil, $0).memoryKiB } == [1000, 1, 1000])
    #expect(Machine.here.processors >= 1 && Machine.here.memoryKiB > 0)
  }

  @Test("the number of workers and the limit of their memory follow from the group")
  func hashing() async throws {
    var reader = SettingsReader(try await ConfigurationLayers(file: nil, arguments: [], environment: [:]))
    var groups = ControlGroups { _ in nil }
    (groups.processors, groups.memoryBytes) = (3, 3 * 19_456 * 1024)
    let machine = Machine(processors: 64, memoryKiB: 1 << 30, groups: groups)
    #expect(HashingSettings(&reader, on: machine).workerCount == 3)
    do {
      try reader.finish()
      Issue.record("taken: three hashes at once in the memory of three")
    } catch {
      #expect("\(error)".contains("3 hashes at once would take more than half of the memory that regd may use"))
    }
  }
}
