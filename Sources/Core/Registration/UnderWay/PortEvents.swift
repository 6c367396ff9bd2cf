/// Events of a conductor that hashes passwords; a failure is an event too.
protocol HashingEvents {
  static func hashingFailed(_ failure: HashingFailure) -> Self
}

extension HashingEvents {
  static func hashing(_ event: @autoclosure () async throws(HashingFailure) -> Self) async -> Self {
    do { return try await event() } catch { return .hashingFailed(error) }
  }
}

/// Events of a conductor that uses the store; a failure is an event too.
protocol StoreEvents {
  static func storeFailed(_ failure: StoreFailure) -> Self
}

extension StoreEvents {
  static func storing(_ event: @autoclosure () async throws(StoreFailure) -> Self) async -> Self {
    do { return try await event() } catch { return .storeFailed(error) }
  }
}

/// Events of a conductor that asks the upstream; a failure is an event too.
protocol NetworkEvents {
  static func networkFailed(_ failure: NetworkFailure) -> Self
}

extension NetworkEvents {
  static func asking(_ event: @autoclosure () async throws(NetworkFailure) -> Self) async -> Self {
    do { return try await event() } catch { return .networkFailed(error) }
  }
}
