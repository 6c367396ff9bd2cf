internal import ArgumentParser
internal import Linux
internal import PasswordHashing
internal import PostgreSQLStore
internal import RegdClient
internal import Registration
internal import SQLiteStore
internal import Sentences

/// `regctl move`: moves an installation to another store while regd keeps running.
struct MoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move",
    abstract: .said(MovingHelp.move),
    discussion: .said(MovingHelp.moveMore))

  @OptionGroup var options: MoveOptions
  @Flag(name: .customLong("switch"), help: .said(MovingHelp.moveSwitch)) var switches = false
  @Flag(help: .said(MovingHelp.moveAbandon))
  var abandon = false
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !(switches && abandon) else { throw ValidationError(UsageSentence.switchOrAbandon) }
  }

  func run() throws {
    let target = try MovingTo(text: options.to, file: options.toFile)
    guard let target else {
      guard abandon else { throw ValidationError(UsageSentence.moveTo) }
      return try forget(try options.source(ServedStore(connection)))
    }
    let daemon = try ServedStore(connection)
    let path = try options.source(daemon)
    Interruption.catchSignals()
    do throws(MoveFailure) {
      switch try SQLiteMoveSource.state(of: path) {
      case .left(let move, let words):
        if let move { try target.open(source: path).arrive(move) }
        report("moved", .init(MovingSentence.movedAlready, ["path": .text(path), "target": .text(words)]), nil)
        return
      case .moving(let move) where abandon:
        try target.open(source: path).abandon(move)
        try SQLiteMoveSource.abandon(path)
        report("abandoned", .init(MovingSentence.abandoned, ["path": .text(path)]), nil)
        return
      case .settled where abandon:
        throw .refused(Speech.text(MovingSentence.noMove, ["path": .text(path)]))
      case .moving, .settled: break
      }
    } catch {
      throw Refusal(message: error.description)
    }
    try go(try target.opened(source: path), target, path, daemon)
  }

  /// Abandons a move in its source only, without its target, which may be lost.
  private func forget(_ path: String) throws {
    do throws(MoveFailure) {
      guard case .moving = try SQLiteMoveSource.state(of: path) else {
        throw .refused(Speech.text(MovingSentence.noMove, ["path": .text(path)]))
      }
      try SQLiteMoveSource.abandon(path)
    } catch {
      throw Refusal(message: error.description)
    }
    report("abandoned", .init(MovingSentence.abandonedHere, ["path": .text(path)]), nil)
  }

  private func go(
    _ to: any MoveTarget, _ target: MovingTo, _ path: String, _ daemon: ServedStore
  ) throws {
    let run = MoveRun(path: path, connection: connection)
    if switches, daemon.serves(path) { try MoveSwitch.rehearse(connection, target) }
    let tally: MoveTally
    if switches, daemon.serves(path) {
      let (moved, held) = try MoveSwitch(run: run, connection: connection).perform(to)
      tally = moved
      report(
        "switched",
        .init(MovingSentence.switched, ["target": .text(target.words), "milliseconds": .number(held)]), tally,
        [.init("heldMilliseconds", .number("\(held)"))])
    } else if switches {
      tally = try run.finish(to, target.words)
      report("moved", .init(MovingSentence.moved, ["path": .text(path), "target": .text(target.words)]), tally)
    } else {
      tally = try run.catchUp(to)
      report(
        "copied",
        .init(MovingSentence.copied, ["path": .text(path), "configuration": .text(target.configuration)]), tally)
    }
  }

  private func report(_ state: String, _ sentence: Sentence, _ tally: MoveTally?, _ more: [JSONValue.Member] = []) {
    if let tally {
      for table in MovedTable.allCases where tally[table].count > 0 {
        connection.say(
          MovingSentence.rows,
          [
            "table": .text(table.rawValue), "count": .number(tally[table].count), "checksum": .text(tally[table].text),
          ])
      }
    }
    connection.say(sentence)
    guard connection.json else { return }
    let tables = MovedTable.allCases.compactMap { table in
      tally.map { tally in
        JSONValue.Member(
          table.rawValue,
          .object([.init("rows", .number("\(tally[table].count)")), .init("checksum", .string(tally[table].text))]))
      }
    }
    Terminal.print(JSONValue.object([.init("state", .string(state)), .init("tables", .object(tables))] + more).text)
  }
}

/// The source and the target of a move.
struct MoveOptions: ParsableArguments {
  @Option(
    help:
      .said(MovingHelp.moveTo, valueName: "target"))
  var to: String?
  @Option(help: .said(MovingHelp.moveToFile, valueName: "file"))
  var toFile: String?
  @Option(help: .said(MovingHelp.moveDatabase, valueName: "path")) var database: String?

  func validate() throws {
    guard to == nil || toFile == nil else { throw ValidationError(UsageSentence.toOrToFile) }
  }

  /// - Throws: `Refusal` if the source is unknown, or is not a database file, or a failure of regd.
  func source(_ daemon: ServedStore) throws -> String {
    if let database { return database }
    switch daemon {
    case .path(let path): return path
    case .other(let backend):
      throw Refusal(MovingSentence.onlySQLite, ["backend": .text(backend)])
    case .away(let failure):
      throw failure
    }
  }
}

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
enum MovingTo {
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
      throw ValidationError(UsageSentence.storeForm)
    }
  }

  private static func firstLine(_ file: String) throws -> String {
    let input = try Terminal.openInput(file)
    guard let bytes = try? input.readToEnd(beyond: 65_536),
      // without the mark that Windows programs write first
      let text = String(validating: bytes.dropFirst(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0), as: UTF8.self)
    else {
      throw Refusal(FailureSentence.notText, ["file": .text(file)])
    }
    return String(text.prefix { $0 != "\n" && $0 != "\r\n" })
  }

  func open(source: String) throws(MoveFailure) -> any MoveTarget {
    switch self {
    case .postgresql(let url): try PostgreSQLMoveTarget(url, SodiumAuditCryptography())
    case .sqlite(let path): try SQLiteMoveTarget(path, source: source, SodiumAuditCryptography())
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
      "  store: {backend: postgresql, postgresql: {url: …}}   # \(Speech.text(MovingSentence.theSameURL))"
    case .sqlite(let path): "  store: {backend: sqlite, sqlite: {path: \(path)}}"
    }
  }
}

extension MoveTally.Entry {
  /// The checksum as 16 hexadecimal digits.
  var text: String {
    let digits = String(checksum, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
