internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import Registration
internal import SQLiteStore
internal import UserMessages

/// `regctl move`: moves an installation to another store while regd keeps running.
struct MoveCommand: ParsableCommand {
  static let configuration = MoveArguments.command
  @OptionGroup var arguments: MoveArguments

  private var connection: ConnectionOptions { arguments.connection }

  func run() throws {
    let target = try TransferTarget(text: arguments.to, file: arguments.toFile)
    guard let target else {
      guard arguments.abandon else { throw ValidationError(UsageMessageKey.moveTo) }
      return try forget(try arguments.source(ServedStore(connection)))
    }
    let daemon = try ServedStore(connection)
    let path = try arguments.source(daemon)
    Interruption.catchSignals()
    do throws(MoveFailure) {
      switch try SQLiteMoveSource.state(of: path) {
      case .left(let move, let words):
        if let move { try target.open(source: path).arrive(move) }
        report(
          "moved", .init(StoreTransferMessageKey.movedAlready, ["path": .text(path), "target": .text(words)]), nil)
        return
      case .moving(let move) where arguments.abandon:
        try target.open(source: path).abandon(move)
        try SQLiteMoveSource.abandon(path)
        report("abandoned", .init(StoreTransferMessageKey.abandoned, ["path": .text(path)]), nil)
        return
      case .settled where arguments.abandon:
        throw .refused(Speech.text(StoreTransferMessageKey.noMove, ["path": .text(path)]))
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
        throw .refused(Speech.text(StoreTransferMessageKey.noMove, ["path": .text(path)]))
      }
      try SQLiteMoveSource.abandon(path)
    } catch {
      throw Refusal(message: error.description)
    }
    report("abandoned", .init(StoreTransferMessageKey.abandonedHere, ["path": .text(path)]), nil)
  }

  private func go(
    _ to: any MoveTarget, _ target: TransferTarget, _ path: String, _ daemon: ServedStore
  ) throws {
    let run = MoveRun(path: path, connection: connection)
    if arguments.switches, daemon.serves(path) { try MoveSwitch.rehearse(connection, target) }
    let tally: MoveTally
    if arguments.switches, daemon.serves(path) {
      let (moved, held) = try MoveSwitch(run: run, connection: connection).perform(to)
      tally = moved
      report(
        "switched",
        .init(StoreTransferMessageKey.switched, ["target": .text(target.words), "milliseconds": .number(held)]), tally,
        [.init("heldMilliseconds", .number("\(held)"))])
    } else if arguments.switches {
      tally = try run.finish(to, target.words)
      report(
        "moved", .init(StoreTransferMessageKey.moved, ["path": .text(path), "target": .text(target.words)]), tally)
    } else {
      tally = try run.catchUp(to)
      report(
        "copied",
        .init(StoreTransferMessageKey.copied, ["path": .text(path), "configuration": .text(target.configuration)]),
        tally)
    }
  }

  private func report(
    _ state: String, _ sentence: LocalizedMessage, _ tally: MoveTally?, _ more: [JSONValue.Member] = []
  ) {
    if let tally {
      for table in MovedTable.allCases where tally[table].count > 0 {
        connection.say(
          StoreTransferMessageKey.rows,
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

extension MoveArguments {
  /// The database to move.
  ///
  /// - Throws: `Refusal` if the source is unknown, or is not a database file, or a failure of regd.
  func source(_ daemon: ServedStore) throws -> String {
    if let database { return database }
    switch daemon {
    case .path(let path): return path
    case .other(let backend):
      throw Refusal(StoreTransferMessageKey.onlySQLite, ["backend": .text(backend)])
    case .away(let failure):
      throw failure
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
