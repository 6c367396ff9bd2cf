import CSQLite
import Linux
import Synchronization

/// A disk that fails at the n-th write or sync of a database or its log. That call and all later calls fail. A copy of
/// the files shows the state that a kill at that moment would leave.
final class FailingCalls: Sendable {
  private let path: String
  private let left: Mutex<Int>

  /// - Parameter then: Called at the moment of the first failure.
  init(_ path: String, copyingTo copy: String, at call: Int, then: @escaping @Sendable () -> Void = {}) {
    self.path = path
    left = Mutex(call)
    for ending in ["", "-wal"] {
      FailingDisk.set(path + ending) { [self] operation in
        let now = left.withLock { left in
          left -= 1
          return left
        }
        guard now <= 0 else { return nil }
        if now == 0 {
          then()
          for ending in ["", "-wal"] {
            try? FileWriting.write((try? FileReading.bytes(path + ending)) ?? [], to: copy + ending)
          }
        }
        return operation == .write ? SQLITE_IOERR | 3 << 8 : SQLITE_IOERR | 4 << 8
      }
    }
  }

  /// Ends the failures.
  func end() { for ending in ["", "-wal"] { FailingDisk.set(path + ending, nil) } }
}
