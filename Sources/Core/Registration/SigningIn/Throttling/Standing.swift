/// Remembers the wrong passwords that came from one client (uid and origin) for one account.
struct Standing: Fading {
  var backOff = BackOff(free: BackOff.freeForOne)
  /// Counts wrong passwords that were hashed during a wait because they looked like the right one.
  var mistakes = Bucket()
  /// Passwords that were hashed and wrong. A repeat of one does not count again.
  var failed = RecentMarks()

  var ends: Moment { max(backOff.ends, mistakes.ends) }
}

/// The marks (`SignInAttempt.mark`) of the last eight different passwords.
struct RecentMarks: Sendable {
  /// 0 marks a free slot.
  private var marks = InlineArray<8, UInt16>(repeating: 0)
  private var next: UInt8 = 0

  func contains(_ mark: UInt16) -> Bool { marks.indices.contains { marks[$0] == mark } }

  mutating func insert(_ mark: UInt16) {
    guard !contains(mark) else { return }
    marks[Int(next)] = mark
    next = (next + 1) % 8
  }
}
