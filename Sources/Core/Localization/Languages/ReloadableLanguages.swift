internal import Synchronization

/// The languages of a running program. A reload replaces them as a whole. Code reads them whenever it writes a message, so a
/// reload also affects connections and forms that are open.
package final class ReloadableLanguages: Sendable {
  private final class Box: Sendable {
    let languages: Languages
    init(_ languages: Languages) { self.languages = languages }
  }

  private let box: Mutex<Box>

  package init(_ languages: Languages) { box = Mutex(Box(languages)) }

  /// The languages in force.
  package var current: Languages { box.withLock { $0 }.languages }

  package func replace(with languages: Languages) {
    let new = Box(languages)
    // the old languages are released outside the lock
    let old = box.withLock { box in
      defer { box = new }
      return box
    }
    withExtendedLifetime(old) {}
  }
}
