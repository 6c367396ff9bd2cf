import Glibc
import Linux
import Registration
import StoreConformance
import TestDoubles
import TestKit
import Testing

@testable import SQLiteStore

@Suite("SQLite's file is replaced, removed or moved", .timeLimit(.minutes(10)))
struct PlaceTests {
  @Test("SQLiteStore keeps the store's promises when its file is taken away", arguments: StoreConformance.replacing)
  func conforms(_ rule: ConformanceRule<ReplaceableStore>) async throws {
    try await withTemporaryDirectory { directory in
      let (inner, away) = ("\(directory)/d", "\(directory)/away")
      try #require(mkdir(inner, 0o700) == 0)
      defer { for path in [inner, away] { FileSystem.removeDirectory(path) } }
      let path = "\(inner)/regd.db"
      let store = try SQLiteStore(path: path)
      try await rule.check(
        ReplaceableStore(
          store: store.accounts, harm: { try Self.harm($0, path, inner, away) },
          undo: { try Self.undo($0, path, inner, away) }))
      await store.close()
    }
  }

  private static func harm(_ harm: ReplaceableStore.Harm, _ path: String, _ inner: String, _ away: String) throws {
    switch harm {
    case .replaced:
      // like install(1): another file of that name
      try #require(link(path, "\(path).kept") == 0)
      try FileWriting.write(FileReading.bytes(path), to: "\(path).new")
      try #require(rename("\(path).new", path) == 0)
    case .removed: try #require(rename(path, "\(path).kept") == 0)
    case .companionRemoved: try #require(rename("\(path)-wal", "\(path)-wal.kept") == 0)
    case .directoryMoved: try #require(rename(inner, away) == 0)
    }
  }

  private static func undo(_ harm: ReplaceableStore.Harm, _ path: String, _ inner: String, _ away: String) throws {
    switch harm {
    case .replaced, .removed: try #require(rename("\(path).kept", path) == 0)
    case .companionRemoved: try #require(rename("\(path)-wal.kept", "\(path)-wal") == 0)
    case .directoryMoved: try #require(rename(away, inner) == 0)
    }
  }
}
