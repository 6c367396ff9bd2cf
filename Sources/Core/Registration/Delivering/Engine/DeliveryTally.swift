internal import Synchronization

/// How many deliveries of users wait, in all and by share (user and origin), as far as this process knows. The schedule
/// keeps the numbers, and other parts of regd read them.
///
/// Deliveries of regd's own share are not counted. An administrator made them wait, or their user is unknown. They are
/// never refused, and would otherwise use up the users' room.
final class DeliveryTally: Sendable {
  private struct Numbers {
    var all = 0
    var users: [UInt32?: Int] = [:]
    var shares: [Share: Int] = [:]
  }

  private let numbers = Mutex(Numbers())

  /// - Returns: The numbers of all shares, of this one's user, and of this share.
  func counts(of share: Share) -> WaitingCounts {
    numbers.withLock { numbers in
      WaitingCounts(
        ofAll: numbers.all, ofUser: numbers.users[share.uid] ?? 0, ofOrigin: numbers.shares[share] ?? 0)
    }
  }

  /// Counts a delivery of the share `new` instead of one of the share `old`. Nil means no delivery.
  func replace(_ old: Share?, by new: Share?) {
    let (old, new) = (Self.counted(old), Self.counted(new))
    guard old != new else { return }
    numbers.withLock { numbers in
      if let new {
        numbers.all += 1
        numbers.users[new.uid, default: 0] += 1
        numbers.shares[new, default: 0] += 1
      }
      if let old {
        numbers.all -= 1
        numbers.users[old.uid] = Self.less(numbers.users[old.uid])
        numbers.shares[old] = Self.less(numbers.shares[old])
      }
    }
  }

  private static func counted(_ share: Share?) -> Share? { share == Share.daemon ? nil : share }

  /// The number less one, or nil instead of zero, so that only shares with deliveries take memory.
  private static func less(_ number: Int?) -> Int? { number.flatMap { $0 > 1 ? $0 - 1 : nil } }
}
