/// The passwords in flight (admitted, verdict not yet known) of one client (uid and origin) at one account.
struct Flights: Sendable {
  private var reservations = InlineArray<4, Reservation>(repeating: Reservation())

  /// A password in flight, for one attempt or for several at once.
  private struct Reservation: Sendable {
    var mark: UInt16 = 0
    var attempts: UInt16 = 0
    var count = Count.ofClient
  }

  /// The failure counts that include a password in flight in advance, as if it were wrong.
  enum Count: Sendable {
    case ofClient
    /// The counts of this regd for the client and for the crowd (all clients unknown at the account, counted together).
    case ofCrowd
    /// The count of the client only, because the shared throttle is being asked. The password is not hashed before the
    /// answer.
    case asking
    /// As `ofCrowd`, and the count of the shared throttle.
    case shared
  }

  var count: Int { reservations.indices.count { reservations[$0].attempts > 0 } }

  /// Lets the attempt share the comparison of an equal password in flight.
  ///
  /// - Returns: Whether an equal password is in flight that the attempt may share.
  mutating func join(_ mark: UInt16) -> Bool {
    guard let index = index(of: mark), reservations[index].count != .asking, reservations[index].attempts < .max
    else { return false }
    reservations[index].attempts += 1
    return true
  }

  /// Whether the shared throttle is being asked for this password.
  func isAsking(_ mark: UInt16) -> Bool { index(of: mark).map { reservations[$0].count == .asking } ?? false }

  /// Notes that the shared throttle has counted the password in advance.
  mutating func share(_ mark: UInt16) {
    if let index = index(of: mark) { reservations[index].count = .shared }
  }

  /// Notes that a password is in flight. A free slot always exists: while four passwords are in flight, one more than
  /// `BackOff.freeForOne`, the throttle admits no further password.
  mutating func reserve(_ mark: UInt16, _ count: Count) {
    guard let index = reservations.indices.first(where: { reservations[$0].attempts == 0 }) else { return }
    reservations[index] = Reservation(mark: mark, attempts: 1, count: count)
  }

  enum Release: Equatable {
    /// There is nothing to release: the attempt had reserved nothing, or it shared a reservation with an attempt of the same
    /// password, which has already released it.
    case nothing
    /// Other attempts have the same password in flight.
    case shared
    case whole(Count)
  }

  /// Ends the flight of this attempt. If the verdict on the password is known (`isKnown`), ends the flights of all
  /// attempts that share the password.
  mutating func release(_ mark: UInt16, isKnown: Bool) -> Release {
    guard let index = index(of: mark) else { return .nothing }
    if !isKnown, reservations[index].attempts > 1 {
      reservations[index].attempts -= 1
      return .shared
    }
    defer { reservations[index] = Reservation() }
    return .whole(reservations[index].count)
  }

  private func index(of mark: UInt16) -> Int? {
    reservations.indices.first { reservations[$0].attempts > 0 && reservations[$0].mark == mark }
  }
}
