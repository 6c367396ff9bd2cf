/// Results of one method that the observer is still to be told of: callers mostly ask the same again and again, and each
/// would cost as much as reading its name.
final class UncountedResults {
  private let observer: (any RequestObserver)?
  private var method = 0
  private var count = 0

  init(_ observer: (any RequestObserver)?) { self.observer = observer }

  @inline(__always)
  func count(_ method: Int) {
    if method != self.method {
      tell()
      self.method = method
    }
    count &+= 1
  }

  @inline(never)
  func tell() {
    if count > 0 { observer?.answered(method, count: count) }
    count = 0
  }
}
