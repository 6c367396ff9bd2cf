@testable import PostgreSQLStore

extension Connection {
  /// Executes the statement. Returns the largest number of rows that a step of its plan has read, and the plan.
  func rowsRead(by statement: Statement) throws(ServerFailure) -> (most: Int, plan: String) {
    let lines = try run(
      "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) \(statement.sql)", statement.parameters
    ).map { $0.text(0) }
    let counts = lines.flatMap { line -> [Int] in
      let removed = line.firstMatch(of: /Rows Removed by [A-Za-z ]+: (\d+)/).flatMap { Int($0.1) }
      let read = line.firstMatch(of: /rows=(\d+)(?:\.\d+)? loops=(\d+)/).map { (Int($0.1) ?? 0) * (Int($0.2) ?? 0) }
      return [removed, read].compactMap(\.self)
    }
    return (counts.max() ?? .max, lines.joined(separator: "\n"))
  }
}
