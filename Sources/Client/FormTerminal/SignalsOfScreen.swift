internal import Linux

extension Signal {
  /// Those that end the program.
  static let endings = [interrupt, terminate, hangUp, quit]

  /// All that a form on the screen has to do with: also those that stop the program and wake it, and that tell of another
  /// size.
  static let ofScreen = endings + [windowSize, suspend, resume]
}
