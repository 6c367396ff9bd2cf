internal import RegdClient

/// Environments × stores × flows, each cell a running regd on a real socket.
package struct Matrix: Sendable {
  /// The stores that every cell is played on; names of the configuration.
  package static let stores = ["memory", "sqlite"]

  private let regd: String
  private let files: [String]
  private let flows: [Flow]

  package struct Empty: Error, CustomStringConvertible {
    package let description: String
  }

  /// - Parameters:
  ///   - regd: The program.
  ///   - directory: Its `.yaml` files are the rows.
  ///   - filter: Only environments and flows of whose names or files this is a part; nil for all.
  /// - Throws: `Empty` where there would be no cell; a matrix of nothing proves nothing.
  package init(regd: String, directory: String, filter: String? = nil) throws(Empty) {
    self.regd = regd
    let names = TemporaryDirectory.names(in: directory).filter { $0.hasSuffix(".yaml") }
    guard !names.isEmpty else { throw Empty(description: "\(directory) has no environments (files that end in .yaml)") }
    let matching = names.filter { filter.map($0.contains) ?? true }
    let matchingFlows = Flow.all.filter { flow in filter.map { flow.name.contains($0) } ?? true }
    guard !matching.isEmpty || !matchingFlows.isEmpty else {
      let known = (names + Flow.all.map(\.name)).joined(separator: ", ")
      throw Empty(description: "nothing has \"\(filter ?? "")\" in its name; there are \(known)")
    }
    files = (matching.isEmpty ? names : matching).map { "\(directory)/\($0)" }
    flows = matchingFlows.isEmpty ? Flow.all : matchingFlows
  }

  package var cellCount: Int { files.count * Self.stores.count * flows.count }

  /// Plays every cell, in order.
  ///
  /// - Parameter progress: Called after each cell.
  package func run(_ progress: (Cell) -> Void = { _ in }) -> Report {
    var cells: [Cell] = []
    for file in files {
      for store in Self.stores {
        for flow in flows {
          let cell = CellRun(regd: regd, file: file, store: store, flow: flow).run()
          progress(cell)
          cells.append(cell)
        }
      }
    }
    return Report(flows: flows.map(\.name), cells: cells)
  }
}

/// One cell, played.
package struct Cell: Sendable {
  /// The environment's name, or its file where it did not start.
  package let environment: String
  package let store: String
  package let flow: String
  /// What was seen, or what was wrong.
  package let result: Result<String, Fault>
  package let duration: Duration

  package struct Fault: Error, CustomStringConvertible {
    package let description: String
  }

  package var isGreen: Bool { (try? result.get()) != nil }
}
