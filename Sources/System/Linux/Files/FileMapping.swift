internal import Glibc

/// A file in memory (mmap(2)), shared with all who have it open, to be read and written.
package struct FileMapping: ~Copyable {
  package let bytes: UnsafeMutableRawBufferPointer

  /// - Parameter count: Bytes from the file's beginning, which must have as many.
  package init(_ file: borrowing Descriptor, count: Int) throws(SystemError) {
    let start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
    guard let start, start != MAP_FAILED else { throw SystemError("mmap", errno) }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  deinit { munmap(bytes.baseAddress, bytes.count) }
}
