internal import Linux

/// Estimates how many lines of a file will be inserted, before the file is read.
///
/// The size alone gives only an upper bound, one line per 41 bytes: a tenth too high for the usual list, and several
/// times too high if a minimum count excludes most lines. So the estimate reads some evenly spread pieces of the file
/// and counts their lines.
struct SizeEstimate {
  let minimumCount: UInt64
  /// How many pieces are read. 256 of 16 KiB are 4 MiB, read within a second from any disk.
  var pieces = 256
  /// Bytes of a piece.
  var pieceSize = 16_384

  /// The number of lines to make room for. A list with at most this many lines has the wanted false-positive rate, or a
  /// better one.
  ///
  /// - Parameters:
  ///   - descriptor: A regular file, whose position does not change.
  ///   - start: Where the list begins.
  ///   - end: Where the list ends.
  func entries(_ descriptor: Int32, from start: Int, to end: Int) -> Int {
    // a line has a hash and a line feed, which the last line may lack
    let most = max(0, end - start + 1) / (HashLine.digits + 1)
    guard end - start > 2 * pieces * pieceSize else { return most }
    let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: pieceSize)
    defer { buffer.deallocate() }
    var (bytes, lines, taken) = (0, 0, 0)
    for piece in 0..<pieces {
      let position = start + (end - start - pieceSize) / pieces * piece
      let read = try? Descriptor(borrowing: descriptor).read(
        into: UnsafeMutableRawBufferPointer(start: buffer, count: pieceSize), at: position)
      // the later read of the whole file reports the failure
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
    // One percent for the varying length of lines. If a minimum excludes lines, also the lines between two pieces,
    // because in a list sorted by count the last inserted line may be anywhere between them.
    let margin = 1.01 * Double(taken) + Double(taken < lines ? 2 * lines / pieces : 0)
    return min(most, Int(share * margin) + 1)
  }
}
