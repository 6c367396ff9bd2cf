/// A report's cells as a grid of environments (down) and flows (across). Each square has all variants (rendering and store) of
/// one environment and flow, grouped by their answers.
struct ReportGrid {
  let columns: [(name: String, summary: String)]
  /// Environments of the same condition are adjacent, at the place of the condition's first cell.
  let rows: [Row]
  let variants: [ReportVariant]

  struct Row {
    let environment: String
    let summary: String
    let condition: String
    /// One per column, without parts if the report has no such cell.
    let squares: [Square]

    /// The variants in which no flow of this environment was played.
    let missing: [String]

    var reds: Int { squares.reduce(0) { $0 + $1.cells.count(where: \.isRed) } }
  }

  struct Square: Equatable {
    let cells: [Cell]
    /// The parts, red ones first, the others in the order of their first cells.
    let parts: [Part]

    var isRed: Bool { parts.first?.isRed == true }
    /// Whether the played variants, none of them red, got different answers.
    var differs: Bool { !isRed && parts.count(where: \.isSeen) > 1 }

    static func == (a: Self, b: Self) -> Bool { a.parts == b.parts }
  }

  /// A group of one square's variants: those with the same answers, or all red ones. The list of red cells shows each
  /// fault.
  struct Part: Equatable {
    let result: Cell.Outcome
    var labels: [String]
    /// Whether the part has all played variants, or all variants if none was played. If so, their names are left out.
    var isWhole = false

    var isRed: Bool { if case .fault = result { true } else { false } }
    var isSeen: Bool { if case .seen = result { true } else { false } }
    var isPlayed: Bool { isRed || isSeen }
  }

  init(_ report: Report) {
    var columns = report.flows
    var places: [String: Int] = [:]
    for (index, column) in columns.enumerated() where places[column.name] == nil { places[column.name] = index }
    // a flow that is missing in `flows` gets a column at the end
    for cell in report.cells where places[cell.flow] == nil {
      places[cell.flow] = columns.count
      columns.append((cell.flow, ""))
    }
    let variants = ReportVariant.all(in: report.cells)

    var rows: [(first: Cell, cells: [[Cell]])] = []
    var known: [String: Int] = [:]
    for cell in report.cells {
      if known[cell.environment] == nil {
        known[cell.environment] = rows.count
        rows.append((cell, Array(repeating: [], count: columns.count)))
      }
      guard let row = known[cell.environment], let column = places[cell.flow] else { continue }
      rows[row].cells[column].append(cell)
    }

    var conditions: [String: Int] = [:]
    for row in rows where conditions[row.first.condition] == nil { conditions[row.first.condition] = conditions.count }
    let order = rows.indices.sorted {
      (conditions[rows[$0].first.condition] ?? 0, $0) < (conditions[rows[$1].first.condition] ?? 0, $1)
    }
    self.columns = columns
    self.variants = variants
    self.rows = order.map { index in
      let (first, cells) = rows[index]
      let squares = cells.map { Square($0, variants) }
      return Row(
        environment: first.environment, summary: first.summary, condition: first.condition, squares: squares,
        missing: Self.missing(in: squares, variants))
    }
  }

  private static func missing(in squares: [Square], _ variants: [ReportVariant]) -> [String] {
    let filled = squares.filter { !$0.cells.isEmpty }
    return variants.map(\.label).filter { label in
      filled.allSatisfy { $0.parts.contains { !$0.isPlayed && $0.labels.contains(label) } }
    }
  }
}

extension ReportGrid.Square {
  fileprivate init(_ cells: [Cell], _ variants: [ReportVariant]) {
    var parts: [ReportGrid.Part] = []
    for cell in cells {
      let label = ReportVariant.label(of: cell, in: variants)
      if let same = parts.firstIndex(where: { $0.result == cell.result || ($0.isRed && cell.isRed) }) {
        parts[same].labels.append(label)
      } else {
        parts.append(ReportGrid.Part(result: cell.result, labels: [label]))
      }
    }
    let played = cells.count(where: \.isPlayed)
    for index in parts.indices where parts[index].labels.count == (played == 0 ? cells.count : played) {
      parts[index].isWhole = parts.count == 1 || parts[index].isPlayed
    }
    self.cells = cells
    self.parts = parts.filter(\.isRed) + parts.filter { !$0.isRed }
  }
}

/// A rendering and a store. Every environment and flow is played in each variant.
struct ReportVariant {
  let rendering: String
  let store: String
  /// A short name: the initials of rendering and store if they are unique, otherwise both names.
  let label: String

  /// All variants, in the order of their first cells.
  static func all(in cells: [Cell]) -> [ReportVariant] {
    var pairs: [(rendering: String, store: String)] = []
    for cell in cells where !pairs.contains(where: { $0 == (cell.rendering, cell.store) }) {
      pairs.append((cell.rendering, cell.store))
    }
    let initials = pairs.map { "\($0.rendering.prefix(1))\($0.store.prefix(1))" }
    let areDistinct = Set(initials).count == pairs.count && initials.allSatisfy { $0.count == 2 }
    return zip(pairs, initials).map { pair, initials in
      ReportVariant(
        rendering: pair.rendering, store: pair.store, label: areDistinct ? initials : "\(pair.rendering)/\(pair.store)")
    }
  }

  static func label(of cell: Cell, in variants: [ReportVariant]) -> String {
    variants.first { $0.rendering == cell.rendering && $0.store == cell.store }?.label ?? ""
  }
}
