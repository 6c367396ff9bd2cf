/// The first page of a list's file. Numbers are little-endian:
///
/// | bytes | what |
/// |---|---|
/// | 0..<8 | "regdbrch" |
/// | 8..<12 | version, 1 |
/// | 12..<16 | 0 |
/// | 16..<24 | the number of blocks of 64 bytes after this page, a multiple of 64 |
/// | 24..<32 | inserted entries |
/// | 32..<40 | the false-positive rate, an IEEE 754 double |
/// | 40..<48 | creation, microseconds since 1970-01-01T00:00:00Z |
/// | 48..<4076 | 0 |
/// | 4076..<4096 | SHA-1 of the bytes before it |
struct ListHeader: Equatable {
  static let byteCount = 4096
  static let magic = Array("regdbrch".utf8)
  static let version: UInt32 = 1

  var blockCount: Int
  /// Lines that were inserted. A line that occurs twice counts twice.
  var entries: Int
  /// 0 to 1.
  var falsePositiveRate: Double
  /// Microseconds since 1970.
  var createdAt: Int64

  /// The size of the whole file.
  var fileByteCount: Int { Self.byteCount + blockCount * BlockFilter.bytesPerBlock }

  /// The encoded page, with its checksum.
  var bytes: [UInt8] {
    var page = [UInt8](repeating: 0, count: Self.byteCount)
    page.withUnsafeMutableBytes { page in
      page.copyBytes(from: Self.magic)
      page.storeBytes(of: Self.version.littleEndian, toByteOffset: 8, as: UInt32.self)
      let numbers = [
        UInt64(blockCount), UInt64(entries), falsePositiveRate.bitPattern, UInt64(bitPattern: createdAt),
      ]
      for (index, number) in numbers.enumerated() {
        page.storeBytes(of: number.littleEndian, toByteOffset: 16 + index * 8, as: UInt64.self)
      }
      let checksum = Self.checksum(of: UnsafeRawBufferPointer(page))
      UnsafeMutableRawBufferPointer(rebasing: page[Self.checksumOffset...]).copyBytes(from: checksum)
    }
    return page
  }

  private static let checksumOffset = byteCount - EntryHash.digestLength

  private static func checksum(of page: UnsafeRawBufferPointer) -> [UInt8] {
    EntryHash.withDigest(of: UnsafeRawBufferPointer(rebasing: page[..<checksumOffset])) { Array($0) }
  }
}

extension ListHeader {
  /// Decodes and checks the page.
  ///
  /// - Parameter bytes: The beginning of the file at `path`. Has fewer bytes than `byteCount` only if the file is shorter.
  init(_ bytes: ArraySlice<UInt8>, of path: String) throws(BreachedListFailure) {
    guard bytes.starts(with: Self.magic) else { throw .notAList(path: path) }
    guard bytes.count >= Self.byteCount else { throw .cutOff(path: path, at: bytes.count, of: nil) }
    let (version, numbers) = bytes.withUnsafeBytes { bytes in
      (
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)),
        (2..<6).map { UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)) }
      )
    }
    // the version is checked first, because later versions may have the checksum elsewhere
    guard version <= Self.version else { throw .newerVersion(path: path, version: version) }
    let checksum = bytes.withUnsafeBytes { Self.checksum(of: $0) }
    let rate = Double(bitPattern: numbers[2])
    guard version == Self.version, bytes.suffix(checksum.count).elementsEqual(checksum),
      // a crafted file may have a valid checksum and impossible numbers
      (1...UInt64(1 << 50)).contains(numbers[0]), numbers[0] % UInt64(FilterSize.blocksPerPage) == 0,
      let entries = Int(exactly: numbers[1]), (0...1).contains(rate)
    else { throw .damagedHeader(path: path) }
    self.init(
      blockCount: Int(numbers[0]), entries: entries, falsePositiveRate: rate,
      createdAt: Int64(bitPattern: numbers[3]))
  }
}
