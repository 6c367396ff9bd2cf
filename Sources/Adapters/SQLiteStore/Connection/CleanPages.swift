internal import CSQLite
internal import Synchronization

/// Clears what SQLite leaves behind in a page of the database's file when it writes the page.
///
/// `PRAGMA secure_delete` has SQLite overwrite a cell that is removed, and a page that is freed. It does not cover cells that
/// were moved to a neighbour when a tree was balanced: copies of them stay in the space between the page's list of cells
/// and its first cell, which SQLite never reads. When such a cell is then removed where it is, its copy is still in the file.
/// Here that space is filled with zeroes, on the way into the file (sqlite3_io_methods.xWrite). The log beside the file has
/// copies until it is emptied (`Connection.emptyLog`).
enum CleanPages {
  /// From here on each page that this connection writes into its database's file is clean.
  ///
  /// - Throws: If SQLite does not say how it writes.
  static func install(_ database: OpaquePointer) throws(SQLiteFailure) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file else { throw Connection.failure(database) }
    // nil: there is no file, as with a database in memory
    guard let own = file.pointee.pMethods else { return }
    file.pointee.pMethods = UnsafePointer(bitPattern: methods(over: own))
  }

  /// SQLite's functions for a file, with one of them replaced, and behind them where the own ones are.
  private struct Methods {
    var replaced: sqlite3_io_methods
    let own: UnsafePointer<sqlite3_io_methods>
  }

  /// Addresses by addresses: SQLite has a handful of these tables, and each is needed as long as the process lives.
  private static let made = Mutex<[UInt: UInt]>([:])

  private static func methods(over own: UnsafePointer<sqlite3_io_methods>) -> UInt {
    made.withLock { made in
      if let known = made[UInt(bitPattern: own)] { return known }
      let methods = UnsafeMutablePointer<Methods>.allocate(capacity: 1)
      methods.initialize(to: Methods(replaced: own.pointee, own: own))
      // a later SQLite may have more functions than this one's header knows
      methods.pointee.replaced.iVersion = min(own.pointee.iVersion, 3)
      methods.pointee.replaced.xWrite = { CleanPages.write($0, $1, $2, $3) }
      made[UInt(bitPattern: own)] = UInt(bitPattern: methods)
      return UInt(bitPattern: methods)
    }
  }

  private static func write(
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
  ) -> Int32 {
    guard let file, let methods = UnsafeRawPointer(file.pointee.pMethods) else { return SQLITE_IOERR }
    let own = methods.assumingMemoryBound(to: Methods.self).pointee.own.pointee
    let page = UnsafeRawBufferPointer(start: bytes, count: Int(count))
    guard let gap = gap(of: page, at: offset), hasRemnants(page, in: gap), isPlain(file, own, count) else {
      return own.xWrite(file, bytes, count, offset)
    }
    // what SQLite gave belongs to it
    return withUnsafeTemporaryAllocation(byteCount: page.count, alignment: 8) { copy in
      copy.copyMemory(from: page)
      UnsafeMutableRawBufferPointer(rebasing: copy[gap]).initializeMemory(as: UInt8.self, repeating: 0)
      return own.xWrite(file, copy.baseAddress, count, offset)
    }
  }

  /// Whether a byte of the gap is not 0.
  static func hasRemnants(_ page: UnsafeRawBufferPointer, in gap: Range<Int>) -> Bool {
    var position = gap.lowerBound
    while position + 8 <= gap.upperBound {
      if page.loadUnaligned(fromByteOffset: position, as: UInt64.self) != 0 { return true }
      position += 8
    }
    return page[position..<gap.upperBound].contains { $0 != 0 }
  }

  /// Whether each page that is no page of a tree begins with a number that no such page has.
  ///
  /// An overflow page and a page of the free list begin with the number of a page, whose first byte is 0 in so small a file. A page of
  /// the pointer map may begin with any; there are none unless the file's header says so, at byte 52, for an operator may have
  /// turned PRAGMA auto_vacuum on.
  private static func isPlain(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ own: sqlite3_io_methods, _ pageSize: Int32
  ) -> Bool {
    var size: Int64 = 0
    guard own.xFileSize(file, &size) == SQLITE_OK, size / Int64(pageSize) < 1 << 24 else { return false }
    var mapped: UInt32 = 0
    return own.xRead(file, &mapped, 4, 52) == SQLITE_OK && mapped == 0
  }

  /// The space that nothing refers to, in a page of a tree; nil in what is none (sqlite.org/fileformat2.html, "B-tree
  /// Pages").
  ///
  /// - Parameter offset: Of the page in the file, whose first page begins with the file's own header.
  static func gap(of page: UnsafeRawBufferPointer, at offset: Int64) -> Range<Int>? {
    guard page.count >= 512, page.count & (page.count - 1) == 0, offset % Int64(page.count) == 0 else { return nil }
    let header = offset == 0 ? 100 : 0
    func number(_ position: Int) -> Int { Int(page[header + position]) << 8 | Int(page[header + position + 1]) }
    let headerSize: Int
    switch page[header] {
    case 2, 5: headerSize = 12
    case 10, 13: headerSize = 8
    default: return nil
    }
    let beginning = header + headerSize + 2 * number(3)
    let end = number(5) == 0 ? 65536 : number(5)
    guard beginning <= end, end <= page.count else { return nil }
    return beginning..<end
  }
}
