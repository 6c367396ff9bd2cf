import CSQLite
import Linux
import Synchronization

/// A disk that dies at the n-th write or sync of a database or of its log: that one and all later ones fail, and a copy of
/// the files is as a kill at that moment leaves them.
final class FailingCalls: Sendable {
  private let path: String
  private let left: Mutex<Int>

  /// - Parameter then: Called at that moment.
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

  /// From here on nothing fails.
  func end() { for ending in ["", "-wal"] { FailingDisk.set(path + ending, nil) } }
}
