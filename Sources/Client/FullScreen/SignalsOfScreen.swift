package import Linux

extension Signal {
  /// Signals that end the program.
  package static let endings = [interrupt, terminate, hangUp, quit]

  /// Signals that a program with a full screen handles itself: those that end it, stop and continue, and a change of the window
  /// size.
  package static let ofScreen = endings + [windowSize, suspend, resume]
}
