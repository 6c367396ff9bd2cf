import Linux
import Synchronization
import TestDoubles

/// The remains of a database and its log after a power cut. Of the writes since each file's last sync, it keeps some,
/// loses others, and tears others at a sector.
final class UnsyncedWrites: Sendable {
  fileprivate struct File {
    var synced: [UInt8] = []
    var pending: [FailingDisk.Effect] = []
  }

  private let path: String
  private let files = Mutex<[String: File]>([:])

  /// - Parameter path: The path of a database that does not exist yet.
  init(_ path: String) {
    self.path = path
    for ending in ["", "-wal"] {
      FailingDisk.watch(path + ending) { [self] effect in
        files.withLock { files in
          files[ending, default: File()].pending.append(effect)
          guard case .synced = effect else { return }
          files[ending]?.settle { _ in true }
        }
      }
    }
  }

  func end() { for ending in ["", "-wal"] { FailingDisk.watch(path + ending, nil) } }

  /// Copies the files as a power cut at this moment would leave them.
  func cut(to copy: String, seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for (ending, file) in files.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      var file = file
      file.settle { _ in Bool.random(using: &random) }
      try FileWriting.write(file.synced, to: copy + ending)
    }
  }
}

extension UnsyncedWrites.File {
  private static let sector = 512

  /// - Parameter isKept: Whether a sector is kept. Called in order.
  mutating func settle(_ isKept: (Int) -> Bool) {
    for effect in pending {
      switch effect {
      case .synced: break
      case .truncated(let size): if isKept(size) { synced.removeLast(max(0, synced.count - size)) }
      case .wrote(let bytes, let start):
        for place in stride(from: 0, to: bytes.count, by: Self.sector) where isKept(start + place) {
          let part = bytes[place..<min(place + Self.sector, bytes.count)]
          let end = start + place + part.count
          if synced.count < end { synced += Array(repeating: 0, count: end - synced.count) }
          synced.replaceSubrange((start + place)..<end, with: part)
        }
      }
    }
    pending = []
  }
}
