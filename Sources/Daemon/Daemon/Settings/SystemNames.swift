internal import Linux

/// Users and groups of the machine, by name or number.
enum SystemNames {
  /// A user's id, by name or written as a number; nil if there is none.
  static func user(named name: String) -> UInt32? { UInt32(name) ?? UserDatabase.user(named: name) }

  /// A group's id, by name or written as a number; nil if there is none.
  static func group(named name: String) -> UInt32? { UInt32(name) ?? UserDatabase.group(named: name) }
}
