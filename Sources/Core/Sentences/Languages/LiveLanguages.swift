internal import Synchronization

/// The languages of a program that runs; a reload replaces them as a whole. Who says something asks for them then, and not when a
/// connection or a form begins: so a reload changes those that are open.
package final class LiveLanguages: Sendable {
  private final class Box: Sendable {
    let languages: Languages
    init(_ languages: Languages) { self.languages = languages }
  }

  private let box: Mutex<Box>

  package init(_ languages: Languages) { box = Mutex(Box(languages)) }

  /// Those in force now.
  package var current: Languages { box.withLock { $0 }.languages }

  package func replace(with languages: Languages) {
    let new = Box(languages)
    // what is let go of ends behind the lock
    let old = box.withLock { box in
      defer { box = new }
      return box
    }
    withExtendedLifetime(old) {}
  }
}
