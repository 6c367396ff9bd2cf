/// A matrix that was played. The same cells in the same order give the same text, byte for byte: nothing here asks a
/// clock, a locale or a hash.
package struct Report: Sendable {
  /// The columns, in their order, each with what it is about.
  package let flows: [(name: String, summary: String)]
  /// In the order in which environments, and the variants of one cell, are to be shown.
  package let cells: [Cell]
  package let took: Duration
  /// What `regd --version` says.
  package let regd: String
  /// When it was played, as it is to be read; nil to say nothing about it.
  package let date: String?
  /// What else a reader may want to know, such as the host, its kernel and its cores.
  package let facts: [(name: String, value: String)]

  package init(
    flows: [(name: String, summary: String)], cells: [Cell], took: Duration, regd: String, date: String? = nil,
    facts: [(name: String, value: String)] = []
  ) {
    self.flows = flows
    self.cells = cells
    self.took = took
    self.regd = regd
    self.date = date
    self.facts = facts
  }

  /// Whether something was played and nothing was red. A matrix of nothing proves nothing.
  package var isGreen: Bool { cells.contains(where: \.isPlayed) && !cells.contains(where: \.isRed) }

  /// "1234 cells, 1230 green, 4 red", and ", 12 not played" where there are such. Cells that were not played are not
  /// among the first number.
  package var summary: String {
    let green = cells.count(where: \.isGreen)
    let red = cells.count(where: \.isRed)
    let absent = cells.count - green - red
    return "\(green + red) cells, \(green) green, \(red) red" + (absent > 0 ? ", \(absent) not played" : "")
  }

  /// Why cells were not played, each reason once, in the order in which they turn up.
  var absences: [(reason: String, count: Int)] {
    var absences: [(reason: String, count: Int)] = []
    for case .absent(let reason) in cells.map(\.result) {
      if let known = absences.firstIndex(where: { $0.reason == reason }) {
        absences[known].count += 1
      } else {
        absences.append((reason, 1))
      }
    }
    return absences
  }
}
