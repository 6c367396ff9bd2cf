internal import Linux
package import Registration
internal import Synchronization

/// A file that `BreachedListBuilder` made, searched where it lies: a query hashes the password and reads one block of 64
/// bytes, so at most one page of the disk, and none where the page is in memory. The pages are the page cache's, and
/// count as nobody's memory.
///
/// It is read and not mapped (mmap(2)): to touch a page behind the end of a file that somebody cuts short is SIGBUS, which
/// would end the daemon; and a read of 64 bytes costs half a microsecond. A file that is replaced by rename stays open as
/// it was, until the list is let go.
package final class BreachedList: BreachedPasswordList {
  private let descriptor: Descriptor
  private let header: ListHeader
  private let whenCut: @Sendable () -> Void
  private let isCut = Atomic<Bool>(false)

  /// Opens the list. Reads its header only.
  ///
  /// - Parameter whenCut: Told once, when the file has been cut short and does not answer for all passwords any more.
  package init(path: String, whenCut: @escaping @Sendable () -> Void = {}) throws(BreachedListFailure) {
    self.whenCut = whenCut
    let status: FileStatus
    let page: [UInt8]
    do throws(SystemError) {
      // a pipe without a writer must not hold up the start
      descriptor = try .open(path, [.reading, .withoutWaiting])
      status = try descriptor.status()
      page = status.kind == .regular ? try descriptor.read(atMost: ListHeader.byteCount) : []
    } catch { throw .cannotOpen(path: path, errorNumber: error.number) }
    guard status.kind == .regular else { throw .notAFile(path: path) }
    header = try ListHeader(page[...], of: path)
    let (count, expected) = (status.size, header.fileByteCount)
    if count < expected { throw .cutOff(path: path, at: count, of: expected) }
    if count > expected { throw .tooLong(path: path, count: count, expected: expected) }
    // reading ahead would read what nobody asks for
    descriptor.expectRandomReads()
  }

  /// Lines that were put in; what stood twice counts twice.
  package var entries: Int { header.entries }

  /// The share of other passwords that `contains` says yes to, from 0 to 1; counted when the list was built.
  package var falsePositiveRate: Double { header.falsePositiveRate }

  /// When it was built.
  package var createdAt: Timestamp { Timestamp(microseconds: header.createdAt) }

  /// Of the file.
  package var byteCount: Int { header.fileByteCount }

  /// Whether the file still has what it had when it was opened, as far as its length tells.
  package var isWhole: Bool { (try? descriptor.status())?.size == header.fileByteCount }

  package func contains(_ password: UnsafeRawBufferPointer) -> Bool { contains(EntryHash(ofPassword: password)) }

  package func contains(_ password: Password) -> Bool { contains(EntryHash(password)) }

  /// No, where the file has been cut short and the block is not there any more.
  func contains(_ hash: EntryHash) -> Bool {
    let offset = ListHeader.byteCount + BlockFilter.index(of: hash, blockCount: header.blockCount) * Self.blockSize
    return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: BlockFilter.lanesPerBlock) { block in
      let read = try? descriptor.read(into: UnsafeMutableRawBufferPointer(block), at: offset)
      guard let lanes = block.baseAddress, read == Self.blockSize else {
        if !isCut.exchange(true, ordering: .relaxed) { whenCut() }
        return false
      }
      return BlockFilter(lanes: lanes, blockCount: 1).contains(hash)
    }
  }

  /// Counts the false-positive rate again. Damage to the file moves it, so one that is not to the last bit
  /// `falsePositiveRate` is of a damaged file. Reads all of the file.
  package func measuredFalsePositiveRate() -> Double {
    let blocksAtOnce = 4096
    var sum = 0.0
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: blocksAtOnce * BlockFilter.lanesPerBlock) { part in
      guard let lanes = part.baseAddress else { return }
      var block = 0
      while block < header.blockCount {
        let count = min(blocksAtOnce, header.blockCount - block)
        let offset = ListHeader.byteCount + block * Self.blockSize
        let bytes = UnsafeMutableRawBufferPointer(start: lanes, count: count * Self.blockSize)
        guard (try? descriptor.read(into: bytes, at: offset)) == bytes.count else {
          sum = .nan
          return
        }
        sum = BlockFilter(lanes: lanes, blockCount: count).falsePositives(after: sum)
        block += count
      }
    }
    return BlockFilter.rate(ofSum: sum, blockCount: header.blockCount)
  }

  private static let blockSize = BlockFilter.bytesPerBlock
}
