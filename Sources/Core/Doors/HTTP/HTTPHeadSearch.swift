/// Finds the end of a request's head: an empty line. Whether lines are right is decided when all are there, so that any split of
/// the same bytes is answered alike; and no byte is looked at twice, however slowly they come.
struct HTTPHeadSearch {
  /// The most bytes of a head, with the empty lines before and after it.
  static let longest = 16_384

  enum Step {
    case unfinished
    case tooLong
    /// The head's lines, up to the empty one's end.
    case found(Range<Int>)
  }

  /// Where the head's lines begin: behind one empty line, which some clients send after a body (RFC 9112 §2.2).
  private var start = 0
  private var lineStart = 0
  private var searched = 0

  /// - Parameter bytes: All bytes from the request's first one; as many as the last time or more.
  mutating func next(_ bytes: UnsafeRawBufferPointer) -> Step {
    let reach = min(bytes.count, Self.longest)
    while let end = bytes[searched..<reach].firstIndex(of: HTTPSyntax.lineFeed) {
      let line = bytes[lineStart..<end]
      (lineStart, searched) = (end + 1, end + 1)
      guard line.isEmpty || line.elementsEqual([HTTPSyntax.carriageReturn]) else { continue }
      // a second one is no request line
      if start == 0, line.startIndex == 0, !line.isEmpty {
        start = lineStart
      } else {
        return .found(start..<lineStart)
      }
    }
    searched = reach
    return reach < Self.longest ? .unfinished : .tooLong
  }
}
