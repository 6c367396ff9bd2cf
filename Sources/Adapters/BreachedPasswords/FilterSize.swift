internal import Linux

/// How large a filter must be for its rate.
enum FilterSize {
  /// A page of the file has this many blocks; a file ends with a page.
  static let blocksPerPage = 4096 / BlockFilter.bytesPerBlock

  /// Blocks for so many entries at that rate, a multiple of `blocksPerPage`.
  ///
  /// - Parameters:
  ///   - entries: 0 and more.
  ///   - rate: Within `BreachedListBuilder.Options.rates`.
  /// - Returns: Nil for less than 0 entries, and where the file would be larger than files can be.
  static func blocks(forEntries entries: Int, falsePositiveRate rate: Double) -> Int? {
    let pages = (Double(entries) / load(forRate: rate) / Double(blocksPerPage)).rounded(.up)
    guard entries >= 0, pages < 0x1p50 else { return nil }
    return max(1, Int(pages)) * blocksPerPage
  }

  /// Entries a block may have on average: the load is where the rate, which rises with it, meets the one that is asked for.
  private static func load(forRate rate: Double) -> Double {
    var (low, high) = (0.0, 512.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if self.rate(atLoad: middle) < rate { low = middle } else { high = middle }
    }
    return low
  }

  /// The rate of a filter whose blocks have `load` entries on average; 0 to 512. How many one block has is Poisson's
  /// distribution, and each entry leaves a bit of a lane alone with 63 in 64.
  static func rate(atLoad load: Double) -> Double {
    var rate = 0.0
    var share = Mathematics.exp(-load)
    var untouched = 1.0
    // 16 standard deviations beyond the mean, there is nothing left to add
    for count in 0...Int(load + 16 * load.squareRoot() + 32) {
      rate += share * Mathematics.pow(1 - untouched, Double(BlockFilter.lanesPerBlock))
      share *= load / Double(count + 1)
      untouched *= 1 - 1 / Double(BlockFilter.bitsPerLane)
    }
    return rate
  }
}
