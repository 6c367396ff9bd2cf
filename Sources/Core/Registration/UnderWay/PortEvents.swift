/// Events of a conductor; a failure of a port is an event too.
protocol PortEvents {
  static func obstructed(_ obstacle: Obstacle) -> Self
}

extension PortEvents {
  static func hashing(_ event: @autoclosure () async throws(HashingFailure) -> Self) async -> Self {
    do { return try await event() } catch { return .obstructed(.hashing(error)) }
  }

  static func storing(_ event: @autoclosure () async throws(StoreFailure) -> Self) async -> Self {
    do { return try await event() } catch { return .obstructed(.store(error)) }
  }

  static func asking(_ event: @autoclosure () async throws(NetworkFailure) -> Self) async -> Self {
    do { return try await event() } catch { return .obstructed(.network(error)) }
  }
}
