internal import Linux
package import Localization
package import Registration
internal import Synchronization

/// A file that `BreachedListBuilder` made, searched in place: a query hashes the password and reads one block of 64
/// bytes, from the disk only if the page cache lacks it. The list takes no memory of the process.
///
/// Reads the file instead of mapping it (mmap(2)). If another program truncated a mapped file, access to a lost page
/// would raise SIGBUS and end the daemon. A read of 64 bytes takes half a microsecond. If a rename replaces the file,
/// the list keeps the old one open.
package final class BreachedList: BreachedPasswordList {
  private let descriptor: Descriptor
  private let header: ListHeader
  private let whenCut: @Sendable () -> Void
  private let isCut = Atomic<Bool>(false)

  /// Opens the list. Reads its header only.
  ///
  /// - Parameter whenCut: Called once, when the first query fails to read its block, because the file was truncated or
  ///   the read failed. A password whose block cannot be read passes as not breached.
  package init(path: String, whenCut: @escaping @Sendable () -> Void = {}) throws(BreachedListFailure) {
    self.whenCut = whenCut
    let status: FileStatus
    let page: [UInt8]
    do throws(SystemError) {
      // O_NONBLOCK, because opening a pipe without a writer would block the start
      descriptor = try .open(path, [.reading, .withoutWaiting])
      status = try descriptor.status()
      page = status.kind == .regular ? try descriptor.read(atMost: ListHeader.byteCount) : []
    } catch { throw .cannotOpen(path: path, errorNumber: error.number) }
    guard status.kind == .regular else { throw .notAFile(path: path) }
    header = try ListHeader(page[...], of: path)
    let (count, expected) = (status.size, header.fileByteCount)
    if count < expected { throw .cutOff(path: path, at: count, of: expected) }
    if count > expected { throw .tooLong(path: path, count: count, expected: expected) }
    // readahead would read pages that no query needs
    descriptor.expectRandomReads()
  }

  /// The number of inserted lines. A line that occurs twice counts twice.
  package var entries: Int { header.entries }

  /// The share of passwords outside the list for which `contains` is true, from 0 to 1. It was computed when the list
  /// was built.
  package var falsePositiveRate: Double { header.falsePositiveRate }

  package var createdAt: Timestamp { Timestamp(microseconds: header.createdAt) }

  package var byteCount: Int { header.fileByteCount }

  /// Whether the file still has the size that it had when it was opened.
  package var isWhole: Bool { (try? descriptor.status())?.size == header.fileByteCount }

  package func contains(_ password: UnsafeRawBufferPointer) -> Bool { contains(EntryHash(ofPassword: password)) }

  package func contains(_ password: Password) -> Bool { contains(EntryHash(password)) }

  /// Whether the hash is in the list. Also false if the hash's block cannot be read.
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

  /// Computes the false-positive rate again, from the whole file. The file is damaged unless the result equals
  /// `falsePositiveRate` to the last bit. NaN if a read fails.
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

/// Why a file cannot serve as a list. Each case has a message that names the file.
package enum BreachedListFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// open(2), fstat(2) or pread(2) failed.
  case cannotOpen(path: String, errorNumber: Int32)
  /// The path names a directory, a device or a pipe.
  case notAFile(path: String)
  /// The file does not begin with the list format's magic bytes.
  case notAList(path: String)
  case newerVersion(path: String, version: UInt32)
  /// The header does not match its checksum.
  case damagedHeader(path: String)
  /// The file ends after `at` bytes instead of `of`. `of` is nil if the header, which states the size, is incomplete.
  case cutOff(path: String, at: Int, of: Int?)
  /// The file is longer than the list.
  case tooLong(path: String, count: Int, expected: Int)

  /// The message in English, for the log.
  package var description: String { sentence.english }

  package var sentence: LocalizedMessage {
    switch self {
    case .cannotOpen(let path, let errorNumber):
      LocalizedMessage(BreachedListMessageKey.cannotOpen, ["list": .text(path), "reason": .text(reason(errorNumber))])
    case .notAFile(let path): LocalizedMessage(BreachedListMessageKey.notAFile, ["list": .text(path)])
    case .notAList(let path): LocalizedMessage(BreachedListMessageKey.notAList, ["list": .text(path)])
    case .newerVersion(let path, let version):
      LocalizedMessage(
        BreachedListMessageKey.newerVersion,
        ["list": .text(path), "version": "\(version)", "known": "\(ListHeader.version)"])
    case .damagedHeader(let path): LocalizedMessage(BreachedListMessageKey.damagedHeader, ["list": .text(path)])
    case .cutOff(let path, let position, nil):
      LocalizedMessage(BreachedListMessageKey.cutOffHeader, ["list": .text(path), "count": .number(position)])
    case .cutOff(let path, let position, let count?):
      LocalizedMessage(
        BreachedListMessageKey.cutOff, ["list": .text(path), "count": .number(position), "all": .number(count)])
    case .tooLong(let path, let count, let expected):
      LocalizedMessage(
        BreachedListMessageKey.tooLong, ["list": .text(path), "count": .number(count), "all": .number(expected)])
    }
  }
}

/// The message of an errno(3) value, by strerror(3).
func reason(_ errorNumber: Int32) -> String { SystemError.text(errorNumber) }
