internal import Linux

/// The part of the machine that this process may use: processors by CPU affinity and by the CPU quota of its control
/// groups, and memory by their limit.
struct Machine: Equatable, Sendable {
  /// 1 or more.
  let processors: Int
  let memoryKiB: Int

  /// This machine, as of the first access.
  static let here = Machine(
    processors: Hardware.usableProcessors,
    memoryKiB: Hardware.memoryKiB,
    groups: ControlGroups { try? FileReading.text($0, atMost: 1 << 20) })

  /// Rounds down the number of processors that the control groups allow, but not below 1: hashing uses whole
  /// processors, and the fraction is left for the event loops.
  init(processors: Int, memoryKiB: Int, groups: ControlGroups) {
    self.processors = max(1, groups.processors.map { min(processors, Int(min($0, 1e6))) } ?? processors)
    self.memoryKiB = groups.memoryBytes.map { min(memoryKiB, $0 / 1024) } ?? memoryKiB
  }
}
