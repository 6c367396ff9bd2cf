internal import CSQLite
internal import Synchronization

/// Clears the remnants in a page when SQLite writes the page into the database's file.
///
/// `PRAGMA secure_delete` makes SQLite overwrite a removed cell and a freed page. It does not cover cells that moved to
/// a neighbour page when a tree was balanced. Copies of them remain in the space between the page's list of cells and
/// its first cell, which SQLite never reads. If such a cell is removed later, its copy is still in the file. This type
/// fills that space with zeroes on the way into the file (sqlite3_io_methods.xWrite). The log beside the file keeps
/// copies until `Connection.emptyLog`.
enum CleanPages {
  /// Makes this connection write only clean pages into its database's file from now on.
  ///
  /// - Throws: If SQLite does not give access to its file functions.
  static func install(_ database: OpaquePointer) throws(SQLiteFailure) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file)
    guard code == SQLITE_OK, let file else { throw Connection.failure(database) }
    // nil: a database in memory has no file
    guard let own = file.pointee.pMethods else { return }
    file.pointee.pMethods = UnsafePointer(bitPattern: methods(over: own))
  }

  /// SQLite's functions for a file, one of them replaced, followed by a pointer to the original ones.
  private struct Methods {
    var replaced: sqlite3_io_methods
    let own: UnsafePointer<sqlite3_io_methods>
  }

  /// The address of each `Methods`, by the address in its `own`. They are never freed: they are few, and open files use them.
  private static let made = Mutex<[UInt: UInt]>([:])

  private static func methods(over own: UnsafePointer<sqlite3_io_methods>) -> UInt {
    made.withLock { made in
      if let known = made[UInt(bitPattern: own)] { return known }
      let methods = UnsafeMutablePointer<Methods>.allocate(capacity: 1)
      methods.initialize(to: Methods(replaced: own.pointee, own: own))
      // a later SQLite may have more functions than this version's header declares
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
    // the buffer belongs to SQLite, so a copy is changed
    return withUnsafeTemporaryAllocation(byteCount: page.count, alignment: 8) { copy in
      copy.copyMemory(from: page)
      UnsafeMutableRawBufferPointer(rebasing: copy[gap]).initializeMemory(as: UInt8.self, repeating: 0)
      return own.xWrite(file, copy.baseAddress, count, offset)
    }
  }

  /// Whether any byte of the gap is not 0.
  static func hasRemnants(_ page: UnsafeRawBufferPointer, in gap: Range<Int>) -> Bool {
    var position = gap.lowerBound
    while position + 8 <= gap.upperBound {
      if page.loadUnaligned(fromByteOffset: position, as: UInt64.self) != 0 { return true }
      position += 8
    }
    return page[position..<gap.upperBound].contains { $0 != 0 }
  }

  /// Whether the first byte of a page shows whether the page belongs to a tree.
  ///
  /// In a file of less than 2^24 pages it does, because other pages begin with a page number whose first byte
  /// is then 0. The exception is a page of the pointer map, which may begin with any byte. Byte 52 of the header shows
  /// whether there are such pages, because an operator may have turned PRAGMA auto_vacuum on.
  private static func isPlain(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ own: sqlite3_io_methods, _ pageSize: Int32
  ) -> Bool {
    var size: Int64 = 0
    guard own.xFileSize(file, &size) == SQLITE_OK, size / Int64(pageSize) < 1 << 24 else { return false }
    var mapped: UInt32 = 0
    return own.xRead(file, &mapped, 4, 52) == SQLITE_OK && mapped == 0
  }

  /// The unused space in a page of a tree. Nil for any other page (sqlite.org/fileformat2.html, "B-tree Pages").
  ///
  /// - Parameter offset: The page's place in the file. The first page begins with the file's own header.
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
