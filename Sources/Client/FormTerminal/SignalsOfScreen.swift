internal import Linux

extension Signal {
  /// Signals that end the program.
  static let endings = [interrupt, terminate, hangUp, quit]

  /// Signals that a form handles itself: those above, stop and continue, and a change of the terminal's size.
  static let ofScreen = endings + [windowSize, suspend, resume]
}
