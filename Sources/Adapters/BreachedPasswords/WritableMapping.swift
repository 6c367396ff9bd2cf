internal import Linux

/// A memory mapping of a list's file, which the builder fills. Its deinitializer unmaps the file.
struct WritableMapping: ~Copyable {
  private let mapping: FileMapping
  let filter: BlockFilter

  /// - Parameter byteCount: The size of the whole file with its header. The initializer fills the file with zeros.
  init(of file: borrowing FileBeside, byteCount: Int) throws(BreachedBuildFailure) {
    try file.reserve(byteCount)
    mapping = try file.attempt(.mapped) { (file) throws(SystemError) in
      try FileMapping(file, count: byteCount)
    }
    let blocks = UnsafeMutableRawBufferPointer(rebasing: mapping.bytes[ListHeader.byteCount...])
    filter = BlockFilter(
      lanes: blocks.bindMemory(to: UInt64.self).baseAddress!, blockCount: blocks.count / BlockFilter.bytesPerBlock)
  }

  func write(_ header: ListHeader) { mapping.bytes.copyBytes(from: header.bytes) }
}
