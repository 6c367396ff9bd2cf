internal import Glibc

/// The file of a list while it is filled, in memory and on the disk at once; unmapped at the end.
struct WritableMapping: ~Copyable {
  private let bytes: UnsafeMutableRawBufferPointer
  let filter: BlockFilter

  /// - Parameter byteCount: Of the whole file, with its header; the file is made that long, of zeros.
  init(of file: borrowing FileBeside, byteCount: Int) throws(BreachedBuildFailure) {
    try file.reserve(byteCount)
    let start = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0)
    guard let start, start != MAP_FAILED else { throw file.failure("mapped into memory") }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    let blocks = UnsafeMutableRawBufferPointer(rebasing: bytes[ListHeader.byteCount...])
    filter = BlockFilter(
      lanes: blocks.bindMemory(to: UInt64.self).baseAddress!, blockCount: blocks.count / BlockFilter.bytesPerBlock)
  }

  deinit { munmap(bytes.baseAddress, bytes.count) }

  func write(_ header: ListHeader) { bytes.copyBytes(from: header.bytes) }
}
