internal import Linux

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
