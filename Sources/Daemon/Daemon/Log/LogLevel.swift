internal import Logging
internal import Synchronization

/// The lowest level that is written. Atomic, because every log call reads it while a reload may change it.
final class LogLevel: Sendable {
  private let index: Atomic<Int>

  init(_ level: Logger.Level) { index = Atomic(Self.index(of: level)) }

  var now: Logger.Level { Logger.Level.allCases[index.load(ordering: .relaxed)] }

  func set(_ level: Logger.Level) { index.store(Self.index(of: level), ordering: .relaxed) }

  private static func index(of level: Logger.Level) -> Int { Logger.Level.allCases.firstIndex(of: level) ?? 0 }
}
