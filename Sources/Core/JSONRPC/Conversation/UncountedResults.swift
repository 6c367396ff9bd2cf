/// Counts results of one method before reporting them to the observer together, because callers usually call one method many
/// times in a row, and reporting each result would cost as much as reading the method's name.
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
