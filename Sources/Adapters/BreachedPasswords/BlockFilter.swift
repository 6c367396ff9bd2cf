internal import Linux

/// A Bloom filter in which each entry sets bits of one block only, as in Apache Parquet's split-block filter, with two
/// changes:
///
/// - A block has 512 bits, eight lanes of 64, where Parquet's has eight lanes of 32. The block still fits one cache
///   line, and the number of entries per block varies less. So the file is 7 % smaller at a false-positive rate of
///   0.001, and 10 % smaller at 0.0001.
/// - Parquet derives each lane's bit from the same 32 bits of hash, with eight salts. Here each lane uses six bits of
///   the SHA-1 that no other lane uses. So the lanes are independent, and the rate is exactly the one that `FilterSize`
///   computes.
///
/// The block's index is the hash's leading bits scaled to the number of blocks, not a remainder, so that a sorted list
/// fills the file from front to end.
struct BlockFilter {
  static let lanesPerBlock = 8
  static let bitsPerLane = 64
  static let bytesPerBlock = 64

  /// The filter's memory: eight lanes per block, aligned to a block, little-endian on every machine.
  let lanes: UnsafeMutablePointer<UInt64>
  /// At least 1.
  let blockCount: Int

  /// Whether the hash was inserted. False is certain, but true may be wrong, at the filter's false-positive rate. Reads
  /// one cache line.
  @inline(__always)
  func contains(_ hash: EntryHash) -> Bool {
    let block = block(of: hash)
    var bits = hash.second
    var isSet: UInt64 = 1
    for lane in 0..<Self.lanesPerBlock {
      isSet &= UInt64(littleEndian: block[lane]) &>> (bits & 63)
      bits &>>= 6
    }
    return isSet == 1
  }

  /// Inserts a hash. Requires lanes that are mapped for writing.
  @inline(__always)
  func insert(_ hash: EntryHash) {
    let block = block(of: hash)
    var bits = hash.second
    for lane in 0..<Self.lanesPerBlock {
      block[lane] |= (1 &<< (bits & 63)).littleEndian
      bits &>>= 6
    }
  }

  /// Inserts many hashes. Reads from all their blocks first, so that the cache misses overlap.
  ///
  /// - Returns: A meaningless value that depends on these reads, so that the compiler cannot omit them.
  @inline(__always)
  func insert(_ hashes: UnsafeBufferPointer<EntryHash>) -> UInt64 {
    var touched: UInt64 = 0
    for hash in hashes { touched ^= block(of: hash).pointee }
    for hash in hashes { insert(hash) }
    return touched
  }

  /// Computes the exact false-positive rate: a block's rate is the product of its lanes' shares of set bits, and the
  /// filter's rate is the mean over its blocks. Reads every byte.
  ///
  /// - Returns: 0 (the filter is empty) to 1 (every hash seems to be in it).
  func falsePositiveRate() -> Double { Self.rate(ofSum: falsePositives(after: 0), blockCount: blockCount) }

  /// Adds to `sum` each block's product of the numbers of bits set in its lanes. `rate(ofSum:blockCount:)` turns the
  /// total into a rate.
  ///
  /// - Parameter sum: The result for the earlier blocks. It is passed in so that the rounding does not depend on how
  ///   calls divide the blocks.
  func falsePositives(after sum: Double) -> Double {
    var sum = sum
    var lane = lanes
    for _ in 0..<blockCount {
      var product = 1
      for index in 0..<Self.lanesPerBlock { product *= lane[index].nonzeroBitCount }
      sum += Double(product)
      lane += Self.lanesPerBlock
    }
    return sum
  }

  static func rate(ofSum sum: Double, blockCount: Int) -> Double {
    // 64 to the eighth, the product of a block whose bits are all set
    sum / Double(blockCount) / 0x1p48
  }

  /// The index of the hash's block among `blockCount`.
  @inline(__always)
  static func index(of hash: EntryHash, blockCount: Int) -> Int {
    Int(truncatingIfNeeded: hash.first.multipliedFullWidth(by: UInt64(blockCount)).high)
  }

  @inline(__always)
  private func block(of hash: EntryHash) -> UnsafeMutablePointer<UInt64> {
    lanes + Self.index(of: hash, blockCount: blockCount) &* Self.lanesPerBlock
  }
}

/// Computes the size of a filter from its number of entries and its false-positive rate.
enum FilterSize {
  /// Blocks per page of the file. The file ends with a full page.
  static let blocksPerPage = 4096 / BlockFilter.bytesPerBlock

  /// The number of blocks for this many entries at this rate, a multiple of `blocksPerPage`.
  ///
  /// - Parameters:
  ///   - entries: 0 or more.
  ///   - rate: Within `BreachedListBuilder.Options.rates`.
  /// - Returns: Nil for a negative number of entries, and for a file larger than files can be.
  static func blocks(forEntries entries: Int, falsePositiveRate rate: Double) -> Int? {
    let pages = (Double(entries) / load(forRate: rate) / Double(blocksPerPage)).rounded(.up)
    guard entries >= 0, pages < 0x1p50 else { return nil }
    return max(1, Int(pages)) * blocksPerPage
  }

  /// The average number of entries per block at which the filter reaches the rate. Found by bisection, because the rate
  /// rises with that number.
  private static func load(forRate rate: Double) -> Double {
    var (low, high) = (0.0, 512.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if self.rate(atLoad: middle) < rate { low = middle } else { high = middle }
    }
    return low
  }

  /// The rate of a filter whose blocks have `load` (0 to 512) entries on average. A block's number of entries has
  /// Poisson's distribution, and an entry leaves a given bit of a lane clear with probability 63/64.
  static func rate(atLoad load: Double) -> Double {
    var rate = 0.0
    var share = Mathematics.exp(-load)
    var untouched = 1.0
    // beyond 16 standard deviations above the mean, the terms vanish
    for count in 0...Int(load + 16 * load.squareRoot() + 32) {
      rate += share * Mathematics.pow(1 - untouched, Double(BlockFilter.lanesPerBlock))
      share *= load / Double(count + 1)
      untouched *= 1 - 1 / Double(BlockFilter.bitsPerLane)
    }
    return rate
  }
}
