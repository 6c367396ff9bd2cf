internal import Localization

/// The user's choice of a table's order.
package struct Sorting<Column: CaseIterable & Equatable & Sendable>: Equatable, Sendable
where Column.AllCases == [Column] {
  package private(set) var column: Column
  /// Whether the order is reversed: normally names rise and numbers fall.
  package private(set) var isReversed = false

  init(_ column: Column) { self.column = column }

  /// Moves to a neighbouring column. The first and the last column are neighbours.
  mutating func move(by step: Int) {
    let columns = Column.allCases
    guard let index = columns.firstIndex(of: column) else { return }
    column = columns[(index + step + columns.count) % columns.count]
  }

  mutating func reverse() { isReversed.toggle() }
}

/// Columns of the table of methods, in their order on the screen.
package enum MethodColumn: CaseIterable, Sendable {
  case name, rate, refused, p50, p99, total

  var title: TopHeading {
    switch self {
    case .name: .method
    case .rate: .rate
    case .refused: .refused
    case .p50: .p50
    case .p99: .p99
    case .total: .total
    }
  }

  /// The value by which the column is sorted. Names are compared directly.
  func value(_ method: Interval.Method) -> Double {
    switch self {
    case .name: 0
    case .rate: coarse(method.rate)
    case .refused: coarse(method.refusedRate)
    case .p50: method.latencies.quantile(0.5).sortValue
    case .p99: method.latencies.quantile(0.99).sortValue
    case .total: method.total
    }
  }
}

/// Columns of the table of users, in their order on the screen.
package enum UserColumn: CaseIterable, Sendable {
  case name, rate, connections, inFlight, queued, total

  var title: TopHeading {
    switch self {
    case .name: .user
    case .rate: .rate
    case .connections: .connections
    case .inFlight: .inFlight
    case .queued: .queued
    case .total: .total
    }
  }

  /// The value by which the column is sorted. Names are compared directly.
  func value(_ user: Interval.User) -> Double {
    switch self {
    case .name: 0
    case .rate: coarse(user.rate)
    case .connections: Double(user.user.connections)
    case .inFlight: Double(user.user.inFlight)
    case .queued: Double(user.user.queuedBytes)
    case .total: Double(user.user.requests)
    }
  }
}

/// Rounds to two significant digits, so that rows with nearly equal numbers do not change places all the time.
private func coarse(_ number: Double) -> Double {
  guard number > 0, number.isFinite else { return 0 }
  var scale = 1.0
  while number * scale < 10 { scale *= 10 }
  while number * scale >= 100 { scale /= 10 }
  return (number * scale).rounded() / scale
}

extension LatencyBuckets.Quantile? {
  /// A missing value sorts below all measured ones.
  fileprivate var sortValue: Double {
    switch self {
    case nil: -1
    case .seconds(let seconds): seconds
    case .above(let seconds): seconds + 1
    }
  }
}
