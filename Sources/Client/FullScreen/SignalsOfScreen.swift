package import Linux

extension Signal {
  /// Signals that end the program.
  package static let endings = [interrupt, terminate, hangUp, quit]

  /// Signals that a program with a full screen handles itself: those above, stop and continue, and a change of the terminal's size.
  package static let ofScreen = endings + [windowSize, suspend, resume]
}
