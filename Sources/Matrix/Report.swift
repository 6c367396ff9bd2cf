/// A matrix that was played.
package struct Report: Sendable {
  package let flows: [String]
  package let cells: [Cell]

  package var isGreen: Bool { !cells.isEmpty && cells.allSatisfy(\.isGreen) }

  /// The table: environments and stores down, flows across, what was seen in each cell; then what was wrong.
  ///
  /// - Parameter colour: Whether a red cell is red.
  package func table(colour: Bool) -> String {
    var rows = [["environment", "store"] + flows]
    for cell in cells {
      if rows.last?[0] != cell.environment || rows.last?[1] != cell.store {
        rows.append([cell.environment, cell.store])
      }
      rows[rows.count - 1].append(word(for: cell))
    }
    let widths = rows[0].indices.map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
    let lines = rows.map { row in
      row.enumerated().map { column, word in
        let padded = word + String(repeating: " ", count: widths[column] - word.count)
        return colour && word.hasPrefix("RED") ? "\u{1B}[31m\(padded)\u{1B}[0m" : padded
      }.joined(separator: "  ")
    }
    return (lines + [""] + faults + [summary]).joined(separator: "\n")
  }

  private func word(for cell: Cell) -> String {
    switch cell.result {
    case .success(let seen): seen
    case .failure: "RED"
    }
  }

  private var faults: [String] {
    cells.compactMap { cell in
      guard case .failure(let fault) = cell.result else { return nil }
      return "RED \(cell.environment), \(cell.store), \(cell.flow): \(fault)"
    }
  }

  private var summary: String {
    let green = cells.filter(\.isGreen).count
    return "\(cells.count) cells, \(green) green, \(cells.count - green) red"
  }
}
