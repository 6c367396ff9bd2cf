internal import ArgumentParser
internal import Linux
internal import Localization
internal import PostgreSQLStore
internal import RegctlCommandLine
internal import RegdClient
internal import Registration
internal import SQLiteStore
internal import UserMessages

/// The store that the running regd serves.
enum ServedStore {
  case path(String)
  /// A store that is not a file. Holds its backend.
  case other(String)
  case away(RegdClientFailure)

  init(_ connection: ConnectionOptions) throws {
    let client: RegdClient
    do { client = try connection.client() } catch {
      self = .away(error)
      return
    }
    let status = try client.call("daemon.status").get()
    self = status["store"]?["path"]?.string.map { .path($0) } ?? .other(status.shown("store", "backend"))
  }

  func serves(_ database: String) -> Bool {
    guard case .path(let path) = self else { return false }
    return path == database || (try? FileStatus(path))?.identity == (try? FileStatus(database))?.identity
  }
}

/// The target of a move.
enum TransferTarget {
  case postgresql(url: String)
  case sqlite(path: String)

  /// Reads the target. Returns nil if no option and no variable names a target.
  init?(text: String?, file: String?) throws {
    let text = try text ?? file.map(Self.firstLine) ?? ThisProcess.variable("REGD_STORE_POSTGRESQL_URL")
    guard let text, !text.isEmpty else { return nil }
    if text.hasPrefix("postgresql://") || text.hasPrefix("postgres://") {
      self = .postgresql(url: text)
    } else if text.hasPrefix("/") {
      self = .sqlite(path: text)
    } else {
      // the message does not show the text, because it may be a URL with a typo and a password
      throw ValidationError(UsageMessageKey.storeForm)
    }
  }

  private static func firstLine(_ file: String) throws -> String {
    let input = try Terminal.openInput(file)
    guard let bytes = try? input.readToEnd(beyond: 65_536),
      // without the mark that Windows programs write first
      let text = String(validating: bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0), as: UTF8.self)
    else {
      throw Refusal(FailureMessageKey.notText, ["file": .text(file)])
    }
    return String(text.prefix { $0 != "\n" && $0 != "\r\n" })
  }

  func open(source: String) throws(MoveFailure) -> any MoveTarget {
    switch self {
    case .postgresql(let url): try PostgreSQLMoveTarget(url)
    case .sqlite(let path): try SQLiteMoveTarget(path, source: source)
    }
  }

  func opened(source: String) throws -> any MoveTarget {
    do throws(MoveFailure) { return try open(source: source) } catch { throw Refusal(message: error.description) }
  }

  var words: String {
    switch self {
    case .postgresql: "postgresql"
    case .sqlite(let path): "sqlite (\(path))"
    }
  }

  /// The lines with which regd's configuration names this store.
  var configuration: String {
    switch self {
    case .postgresql:
      "  store: {backend: postgresql, postgresql: {url: …}}   # \(Speech.text(StoreTransferMessageKey.theSameURL))"
    case .sqlite(let path): "  store: {backend: sqlite, sqlite: {path: \(path)}}"
    }
  }
}
