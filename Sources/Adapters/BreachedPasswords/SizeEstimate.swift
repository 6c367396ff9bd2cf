internal import Linux

/// How many lines of a file will be taken, before it is read.
///
/// Its size alone would say at most one line for 41 bytes, which is a tenth too much for the usual list, and several times
/// too much where a least count leaves most lines out. So some pieces of the file, evenly spread, are read and counted.
struct SizeEstimate {
  let minimumCount: UInt64
  /// How many pieces. 256 of 16 KiB are 4 MiB, read within a second from any disk.
  var pieces = 256
  /// Bytes of a piece.
  var pieceSize = 16_384

  /// A list that has as many lines as this says has its rate, or a better one.
  ///
  /// - Parameters:
  ///   - descriptor: A regular file; where it is read from stays as it is.
  ///   - start: Where the list begins.
  ///   - end: Where it ends.
  func entries(_ descriptor: Int32, from start: Int, to end: Int) -> Int {
    // a hash and a line feed, which the last line may lack
    let most = max(0, end - start + 1) / (HashLine.digits + 1)
    guard end - start > 2 * pieces * pieceSize else { return most }
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: pieceSize)
    defer { buffer.deallocate() }
    var (bytes, lines, taken) = (0, 0, 0)
    for piece in 0..<pieces {
      let position = start + (end - start - pieceSize) / pieces * piece
      let read = try? Descriptor(borrowing: descriptor).read(
        into: UnsafeMutableRawBufferPointer(start: buffer, count: pieceSize), at: position)
      // a failure is reported when the whole file is read
      guard let count = read, count > 0 else { return most }
      var line: UnsafePointer<UInt8>?  // none yet: the first may have begun before the piece
      for index in 0..<count where buffer[index] == UInt8(ascii: "\n") {
        let next = UnsafePointer(buffer) + index + 1
        if let line {
          bytes += next - line
          lines += 1
          if let parsed = HashLine(at: line, before: next), parsed.count ?? 1 >= minimumCount { taken += 1 }
        }
        line = next
      }
    }
    guard taken > 0 else { return most }
    let share = Double(end - start) / Double(bytes)
    // In a list sorted by count, whether lines are taken turns between two pieces; elsewhere lines vary little.
    let margin = 1.01 * Double(taken) + Double(taken < lines ? 2 * lines / pieces : 0)
    return min(most, Int(share * margin) + 1)
  }
}
