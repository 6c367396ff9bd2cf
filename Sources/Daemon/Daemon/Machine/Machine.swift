internal import Linux

/// What of the machine this process may use: of its processors those that it may run on and has time on, of its memory what
/// its control groups let it have.
struct Machine: Equatable, Sendable {
  /// 1 or more.
  let processors: Int
  let memoryKiB: Int

  /// As it was when it was first asked for.
  static let here = Machine(
    processors: Hardware.usableProcessors,
    memoryKiB: Hardware.memoryKiB,
    groups: ControlGroups { try? FileReading.text($0, atMost: 1 << 20) })

  /// A share of a processor counts for nothing besides a whole one: hashing that fills all the time that there is would
  /// leave none for the event loops.
  init(processors: Int, memoryKiB: Int, groups: ControlGroups) {
    self.processors = max(1, groups.processors.map { min(processors, Int(min($0, 1e6))) } ?? processors)
    self.memoryKiB = groups.memoryBytes.map { min(memoryKiB, $0 / 1024) } ?? memoryKiB
  }
}
