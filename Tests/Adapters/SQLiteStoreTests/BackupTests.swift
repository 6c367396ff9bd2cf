import Linux
import Registration
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: back-ups that were killed", .timeLimit(.minutes(10)))
struct BackupTests {
  @Test("the next back-up to a file removes what a killed one has left, and nothing else")
  func leftovers() async throws {
    try await withTemporaryDirectory { directory in
      let (path, target) = ("\(directory)/regd.db", "\(directory)/backup.db")
      let store = try SQLiteStore(path: path)
      _ = try await store.insert(Fixtures.account())
      let left = ["backup.db.partial-4194303", "backup.db.partial-4194303-journal"]
      let kept = ["backup.db.partial-notes", "other.db.partial-4194303", "backup.db.partial-4194302"]
      for name in left + kept { try FileWriting.write("hashes", to: "\(directory)/\(name)") }
      // a process that copies still
      let copying = try Descriptor.open("\(directory)/backup.db.partial-4194302", .writing)
      try copying.lock()
      #expect(try SQLiteBackup.copy(path, to: target).accounts == 1)
      let names = try FileSystem.names(in: directory)
      #expect(Set(names).isDisjoint(with: left), "\(names)")
      #expect(Set(names).isSuperset(of: kept + ["backup.db"]), "\(names)")
      #expect(!names.contains { $0.contains("partial-\(ThisProcess.id)") }, "\(names)")
      copying.unlock()
      await store.close()
    }
  }
}
