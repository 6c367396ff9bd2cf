internal import Glibc
package import Registration

/// A file that `BreachedListBuilder` made, mapped and searched where it lies: a query hashes the password and looks at one
/// cache line, so at one page of the disk where that page is not in memory.
///
/// The mapping is shared and read-only: its pages are the page cache's, and count as nobody's memory. A file that is
/// replaced by rename stays mapped as it was, until the list is let go.
///
/// A file that is cut short while it is mapped is another thing: to touch a page behind its new end is SIGBUS
/// (mmap(2)), which ends the process, and nothing here can prevent that. So whoever replaces a list has to build or copy
/// the new one under another name and rename it, as the builder does, and never write into the old one.
package final class BreachedList: BreachedPasswordList {
  private let filter: SharedFilter
  private let header: ListHeader

  /// Maps the list. Reads its header only.
  package init(path: String) throws(BreachedListFailure) {
    // a pipe without a writer must not hold up the start
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .cannotOpen(path: path, errorNumber: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .cannotOpen(path: path, errorNumber: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    header = try Self.readHeader(descriptor, path)
    let (count, expected) = (Int(status.st_size), header.fileByteCount)
    if count < expected { throw .cutOff(path: path, at: count, of: expected) }
    if count > expected { throw .tooLong(path: path, count: count, expected: expected) }
    guard let start = mmap(nil, expected, PROT_READ, MAP_SHARED, descriptor, 0), start != MAP_FAILED else {
      throw .cannotMap(path: path, errorNumber: errno)
    }
    // reading ahead would read what nobody asks for
    madvise(start, expected, MADV_RANDOM)
    filter = SharedFilter(mapping: UnsafeMutableRawBufferPointer(start: start, count: expected))
  }

  /// Lines that were put in; what stood twice counts twice.
  package var entries: Int { header.entries }

  /// The share of other passwords that `contains` says yes to, from 0 to 1; counted when the list was built.
  package var falsePositiveRate: Double { header.falsePositiveRate }

  /// When it was built.
  package var createdAt: Timestamp { Timestamp(microseconds: header.createdAt) }

  /// Of the file.
  package var byteCount: Int { header.fileByteCount }

  package func contains(_ password: UnsafeRawBufferPointer) -> Bool {
    filter.contains(EntryHash(ofPassword: password))
  }

  package func contains(_ password: Password) -> Bool { filter.contains(EntryHash(password)) }

  func contains(_ hash: EntryHash) -> Bool { filter.contains(hash) }

  /// Counts the false-positive rate again. Damage to the file moves it, so one that is not to the last bit
  /// `falsePositiveRate` is of a damaged file. Reads all of the file.
  package func measuredFalsePositiveRate() -> Double { filter.falsePositiveRate() }

  private static func readHeader(_ descriptor: Int32, _ path: String) throws(BreachedListFailure) -> ListHeader {
    var page = [UInt8](repeating: 0, count: ListHeader.byteCount)
    let count = pread(descriptor, &page, page.count, 0)
    guard count >= 0 else { throw .cannotOpen(path: path, errorNumber: errno) }
    do throws(ListHeader.Problem) {
      return try ListHeader(page.prefix(count))
    } catch {
      switch error {
      case .notAList: throw .notAList(path: path)
      case .cutOff: throw .cutOff(path: path, at: count, of: nil)
      case .newerVersion(let version): throw .newerVersion(path: path, version: version)
      case .damaged: throw .damagedHeader(path: path)
      }
    }
  }
}

/// The mapping of a list. Nobody writes to it, so that any thread may read it.
private struct SharedFilter: ~Copyable, @unchecked Sendable {
  private let mapping: UnsafeMutableRawBufferPointer
  private let filter: BlockFilter

  /// - Parameter mapping: A header and at least one block, aligned to a page; unmapped at the end.
  init(mapping: UnsafeMutableRawBufferPointer) {
    self.mapping = mapping
    let blocks = UnsafeMutableRawBufferPointer(rebasing: mapping[ListHeader.byteCount...])
    filter = BlockFilter(
      lanes: blocks.bindMemory(to: UInt64.self).baseAddress!, blockCount: blocks.count / BlockFilter.bytesPerBlock)
  }

  deinit { munmap(mapping.baseAddress, mapping.count) }

  func contains(_ hash: EntryHash) -> Bool { filter.contains(hash) }

  func falsePositiveRate() -> Double { filter.falsePositiveRate() }
}
