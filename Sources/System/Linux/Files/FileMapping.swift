internal import Glibc

/// A file mapped into memory for reading and writing (mmap(2)). Changes reach the file. Unmapped at the end of the
/// value's life.
package struct FileMapping: ~Copyable {
  package let bytes: UnsafeMutableRawBufferPointer

  /// - Parameter count: Bytes from the beginning. The file must have as many bytes, or access raises SIGBUS.
  package init(_ file: borrowing Descriptor, count: Int) throws(SystemError) {
    let start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
    guard let start, start != MAP_FAILED else { throw SystemError("mmap", errno) }
    bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  deinit { munmap(bytes.baseAddress, bytes.count) }
}
