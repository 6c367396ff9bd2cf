internal import Linux
package import Localization
package import RegdProcesses
internal import Synchronization
internal import WorkerThreads

/// All combinations of environment, rendering, store and flow (a series of calls). Each combination is a cell, played
/// with a running regd on a real socket.
package struct Matrix: Sendable {
  private let regd: String
  private let rows: [Row]
  private let flows: [Flow]
  /// Every combination of environment, rendering and flow is played on each of these stores.
  private let stores: [StoreRow]
  /// Provides the server for stores that need one.
  private let servers: SharedPostgreSQLServer

  /// An environment file, with its environment or the reason why it cannot be played.
  private struct Row {
    let file: String
    let environment: Result<Environment, Environment.Unplayable>
  }

  package struct Empty: Error, CustomStringConvertible {
    package let sentence: LocalizedMessage

    package var description: String { sentence.english }
  }

  /// - Parameters:
  ///   - regd: The path of the program.
  ///   - directory: Its `.yaml` files are the rows.
  ///   - filter: Selects environments and flows whose names contain it, or nil for all.
  ///   - servers: Where the cells' databases are made.
  /// - Throws: `Empty` if no cell is left.
  package init(
    regd: String, directory: String, filter: String? = nil, servers: SharedPostgreSQLServer = SharedPostgreSQLServer()
  ) throws(Empty) {
    (self.regd, self.servers) = (regd, servers)
    let names = ((try? FileSystem.names(in: directory)) ?? []).filter { $0.hasSuffix(".yaml") }
    guard !names.isEmpty else {
      throw Empty(sentence: LocalizedMessage(MatrixMessageKey.noEnvironments, ["directory": .text(directory)]))
    }
    let matching = names.filter { filter.map($0.contains) ?? true }
    let matchingFlows = Flow.all.filter { flow in filter.map { flow.name.contains($0) } ?? true }
    guard !matching.isEmpty || !matchingFlows.isEmpty else {
      let known = (names + Flow.all.map(\.name)).joined(separator: ", ")
      throw Empty(
        sentence: LocalizedMessage(
          MatrixMessageKey.nothingNamed, ["filter": .text(filter ?? ""), "names": .text(known)]))
    }
    rows = (matching.isEmpty ? names : matching).map { name in
      let file = "\(directory)/\(name)"
      do throws(Environment.Unplayable) {
        return Row(file: file, environment: .success(try Environment(file)))
      } catch {
        return Row(file: file, environment: .failure(error))
      }
    }
    flows = matchingFlows.isEmpty ? Flow.all : matchingFlows
    stores = (try? StoreRow.all(of: regd)) ?? [.unknown]
  }

  package var cellCount: Int { runs.count }

  /// Plays every cell, a few at once.
  ///
  /// - Parameters:
  ///   - jobs: How many at once, or nil for two per core.
  ///   - progress: Called after each cell with the number of cells played so far. Calls never overlap.
  package func run(
    jobs: Int? = nil, _ progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> Report {
    let jobs = jobs ?? 2 * Hardware.usableProcessors
    let start = ContinuousClock.now
    let runs = runs
    let cells = Mutex<[Int: Cell]>([:])
    if let threads = try? WorkerThreads(name: "regd-matrix", count: jobs) {
      for (number, run) in runs.enumerated() {
        threads.submit {
          let cell = run()
          cells.withLock { cells in
            cells[number] = cell
            progress(cells.count)
          }
        }
      }
      threads.stop()
    }
    let played = cells.withLock { cells in runs.indices.compactMap { cells[$0] } }
    return Report(
      flows: flows.map { ($0.name, $0.summary) }, cells: played, took: ContinuousClock.now - start, regd: version,
      facts: [("cells at once", "\(jobs)")])
  }

  private var runs: [@Sendable () -> Cell] {
    let stores = stores
    return rows.flatMap { row -> [@Sendable () -> Cell] in
      switch row.environment {
      case .success(let environment): runs(environment)
      case .failure(let unplayable):
        flows.map { flow in { Self.red(row.file, flow, stores[0].name, "\(unplayable)") } }
      }
    }
  }

  private func runs(_ environment: Environment) -> [@Sendable () -> Cell] {
    let (regd, servers) = (regd, servers)
    return environment.renderings.flatMap { rendering in
      environment.stores(of: stores, rendering).flatMap { store in
        flows.filter { $0.kind == environment.kind }.map { flow in
          CellRun(
            regd: regd, environment: environment, rendering: rendering, store: store, flow: flow, servers: servers
          ).run
        }
      }
    }
  }

  /// A red cell (a failure) for an environment file that cannot be played.
  private static func red(_ file: String, _ flow: Flow, _ store: String, _ fault: String) -> Cell {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return Cell(
      environment: name, summary: "cannot be run", condition: "unknown", rendering: Rendering.builtIn.rawValue,
      store: store, flow: flow.name, result: .fault(fault), duration: .zero)
  }

  private var version: String {
    let run = try? TemporaryDirectory.with {
      try RegdProcess.run(program: regd, arguments: ["--version"], directory: $0)
    }
    return run.map { String($0.output.prefix { $0 != "\n" }) } ?? "\(regd) cannot be started"
  }
}
