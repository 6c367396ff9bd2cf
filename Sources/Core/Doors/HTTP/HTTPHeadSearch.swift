/// Finds the end of a request's head: an empty line. The lines are checked only when all have arrived, so that the same
/// bytes get the same answer however they are split. No byte is examined twice, however slowly the bytes arrive.
struct HTTPHeadSearch {
  /// The most bytes of a head, with the empty lines before and after it.
  static let longest = 16_384

  enum Step {
    case unfinished
    case tooLong
    /// The head's lines, including the empty one.
    case found(Range<Int>)
  }

  /// Where the head's lines begin: after one empty line, if there is one. Some clients send one after a body (RFC 9112
  /// §2.2).
  private var start = 0
  private var lineStart = 0
  private var searched = 0

  /// - Parameter bytes: All bytes from the request's first one, at least as many as in the previous call.
  mutating func next(_ bytes: UnsafeRawBufferPointer) -> Step {
    let reach = min(bytes.count, Self.longest)
    while let end = bytes[searched..<reach].firstIndex(of: HTTPSyntax.lineFeed) {
      let line = bytes[lineStart..<end]
      (lineStart, searched) = (end + 1, end + 1)
      guard line.isEmpty || line.elementsEqual([HTTPSyntax.carriageReturn]) else { continue }
      // Skips one leading empty line. A second empty line ends the head, which then is malformed.
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
