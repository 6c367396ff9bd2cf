import Linux
import Registration
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite: backups that were killed", .timeLimit(.minutes(10)))
struct BackupTests {
  @Test("the next backup to a file removes the partial files of a killed backup, and no other file")
  func leftovers() async throws {
    try await withTemporaryDirectory { directory in
      let (path, target) = ("\(directory)/regd.db", "\(directory)/backup.db")
      let store = try SQLiteStore(path: path)
      _ = try await store.insert(Fixtures.account())
      let left = ["backup.db.partial-4194303", "backup.db.partial-4194303-journal"]
      let kept = ["backup.db.partial-notes", "other.db.partial-4194303", "backup.db.partial-4194302"]
      for name in left + kept { try FileWriting.write("hashes", to: "\(directory)/\(name)") }
      // a process that is still copying
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

  @Test("a backup contains no stamp key; each restored copy gets a new one and keeps everything else")
  func stampKey() async throws {
    try await withTemporaryDirectory { directory in
      let (path, target) = ("\(directory)/regd.db", "\(directory)/backup.db")
      let store = try SQLiteStore(path: path)
      let account = Fixtures.account()
      _ = try await store.insert(account)
      #expect(try SQLiteBackup.copy(path, to: target).accounts == 1)
      // directly after the copy, before any process opens it
      let key = store.stampKey.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      #expect(TextFile.read(target)?.contains(key) == false)
      #expect([path, path + "-wal"].contains { TextFile.read($0)?.contains(key) == true })
      var keys = [store.stampKey]
      for number in 0..<2 {
        let restored = "\(directory)/restored\(number).db"
        try FileWriting.write(try FileReading.bytes(target), to: restored)
        let opened = try SQLiteStore(path: restored)
        keys.append(opened.stampKey)
        #expect(opened.codeKey == store.codeKey)
        #expect(opened.keys.audit == store.keys.audit, "the key of the audit's heads")
        #expect(try await opened.find(account.account.id) == account)
        await opened.close()
        let again = try SQLiteStore(path: restored)
        #expect(again.stampKey == keys.last, "the same after a restart")
        await again.close()
      }
      #expect(Set(keys).count == 3)
      await store.close()
      #expect(try SQLiteStore(path: path).stampKey == keys[0], "the store itself keeps its own")
    }
  }

  @Test("a store notices that another program copied its file, and keeps its key, until an operator has decided")
  func copied() async throws {
    try await withTemporaryDirectory { directory in
      let (path, copy) = ("\(directory)/regd.db", "\(directory)/copy.db")
      func opened() async throws -> (key: CodeKey, isCopied: Bool) {
        let store = try SQLiteStore(path: path)
        await store.close()
        return (store.stampKey, store.isCopied)
      }
      func restore() throws {
        // like install(1), even if the file system gives the new file the old file's inode
        try FileWriting.write(try FileReading.bytes(path), to: copy)
        FileSystem.remove(path)
        try FileWriting.write(try FileReading.bytes(copy), to: path)
      }
      let first = try await opened()
      #expect(FileStatus.birth(of: path) != nil, "the file system keeps times of birth")
      #expect(!first.isCopied)
      try FileSystem.rename(path, to: copy)
      try FileSystem.rename(copy, to: path)
      #expect(try await !opened().isCopied, "a renamed file is the same")
      try restore()
      for _ in 0..<2 {
        let found = try await opened()
        #expect(found.isCopied)
        #expect(found.key == first.key)
      }
      // the advice of regctl doctor after a restore
      try Connection(path: path, busyMilliseconds: 0).execute("UPDATE installation SET stamp_key = NULL")
      let second = try await opened()
      #expect(!second.isCopied)
      #expect(second.key != first.key)
      try restore()
      #expect(try await opened().isCopied)
      // and its advice if the file was only moved
      try Connection(path: path, busyMilliseconds: 0).execute("UPDATE installation SET made_in = NULL")
      let third = try await opened()
      #expect(!third.isCopied)
      #expect(third.key == second.key)
    }
  }

  @Test("regctl can back up a store of an earlier version")
  func earlier() async throws {
    try await withTemporaryDirectory { directory in
      let (path, target) = ("\(directory)/regd.db", "\(directory)/backup.db")
      do {
        let old = try Connection(path: path, busyMilliseconds: 0)
        for migration in Schema.migrations.prefix(11) { try old.execute(migration) }
        try Installation.make(old)
        try old.execute("PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = 11")
      }
      #expect(try SQLiteBackup.copy(path, to: target).accounts == 0)
      await (try SQLiteStore(path: target)).close()
    }
  }
}
