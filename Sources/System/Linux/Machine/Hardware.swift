internal import CLinux
internal import Glibc

/// Resources of the machine, regardless of control groups.
package enum Hardware {
  /// Processors that this process may run on, at least 1.
  package static var usableProcessors: Int { Int(linux_usable_processors()) }

  /// Physical memory.
  package static var memoryKiB: Int { sysconf(Int32(_SC_PHYS_PAGES)) * (sysconf(Int32(_SC_PAGESIZE)) / 1024) }
}
