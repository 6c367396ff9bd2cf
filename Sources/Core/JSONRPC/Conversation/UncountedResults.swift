/// Results of one method that the observer has not been told of yet. Callers mostly call the same method many times in a
/// row, and telling each would cost as much as reading its name.
final class UncountedResults {
  private let observer: (any RequestObserver)?
  private var method = 0
  private var count = 0

  init(_ observer: (any RequestObserver)?) { self.observer = observer }

  @inline(__always)
  func count(_ method: Int) {
    if method != self.method {
      flush()
      self.method = method
    }
    count &+= 1
  }

  @inline(never)
  func flush() {
    if count > 0 { observer?.answered(method, count: count) }
    count = 0
  }
}
