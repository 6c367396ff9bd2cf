import Testing

@testable import BreachedPasswords

@Suite("Filter")
struct FilterTests {
  private func withFilter(blocks: Int, _ body: (BlockFilter) -> Void) {
    let lanes = UnsafeMutablePointer<UInt64>.allocate(capacity: blocks * BlockFilter.lanesPerBlock)
    lanes.initialize(repeating: 0, count: blocks * BlockFilter.lanesPerBlock)
    defer { lanes.deallocate() }
    body(BlockFilter(lanes: lanes, blockCount: blocks))
  }

  @Test("a negative or too large number of entries has no filter size")
  func noSize() {
    #expect(FilterSize.blocks(forEntries: -1, falsePositiveRate: 0.001) == nil)
    #expect(FilterSize.blocks(forEntries: .max, falsePositiveRate: 0.001) == nil)
  }

  @Test("an empty filter contains nothing, and a full filter contains everything")
  func extremes() {
    withFilter(blocks: 64) { filter in
      #expect(!filter.contains(EntryHash(first: 0, second: 0)))
      #expect(filter.falsePositiveRate() == 0)
      for index in 0..<64 * BlockFilter.lanesPerBlock { filter.lanes[index] = .max }
      #expect(filter.contains(EntryHash(first: .max, second: .max)))
      #expect(filter.falsePositiveRate() == 1)
    }
  }

  @Test("an entry sets one bit in each of the eight lanes of its block, six bits of the hash for each")
  func layout() {
    withFilter(blocks: 64) { filter in
      // each block covers a share of the range: the last 64th is the last block
      var second: UInt64 = 0xFFFF << 48  // without meaning
      for lane in 0..<8 { second |= UInt64(lane * 9) << UInt64(lane * 6) }
      filter.insert(EntryHash(first: .max, second: second))
      for index in 0..<63 * 8 { #expect(filter.lanes[index] == 0) }
      for lane in 0..<8 { #expect(UInt64(littleEndian: filter.lanes[63 * 8 + lane]) == 1 << UInt64(lane * 9)) }
      #expect(filter.contains(EntryHash(first: .max, second: second)))
      for bit in 0..<48 { #expect(!filter.contains(EntryHash(first: .max, second: second ^ 1 << UInt64(bit)))) }
      #expect(!filter.contains(EntryHash(first: .max >> 1, second: second)))
    }
  }

  @Test("a batch insert sets the same bits as single inserts")
  func batch() {
    var generator = FixedNumbers()
    let hashes = (0..<1000).map { _ in EntryHash(first: generator.next(), second: generator.next()) }
    withFilter(blocks: 64) { one in
      for hash in hashes { one.insert(hash) }
      withFilter(blocks: 64) { other in
        _ = hashes.withUnsafeBufferPointer { other.insert($0) }
        for index in 0..<64 * 8 { #expect(one.lanes[index] == other.lanes[index]) }
      }
      #expect(hashes.allSatisfy { one.contains($0) })
    }
  }

  @Test(
    "a filter's size achieves the rate, and one page less does not", arguments: [0.1, 0.01, 0.001, 0.0001, 0.000_001])
  func size(_ rate: Double) throws {
    let entries = 1_000_000
    let blocks = try #require(FilterSize.blocks(forEntries: entries, falsePositiveRate: rate))
    #expect(blocks % 64 == 0)
    #expect(FilterSize.rate(atLoad: Double(entries) / Double(blocks)) <= rate)
    #expect(FilterSize.rate(atLoad: Double(entries) / Double(blocks - 64)) > rate)
  }

  @Test("a filter for no entries has one page")
  func leastSize() {
    #expect(FilterSize.blocks(forEntries: 0, falsePositiveRate: 0.001) == 64)
    #expect(FilterSize.blocks(forEntries: 1, falsePositiveRate: 0.001) == 64)
  }

  @Test("a filter has about the false-positive rate that its load predicts", arguments: [5, 20, 33, 60])
  func promisedRate(_ load: Int) {
    withFilter(blocks: 4096) { filter in
      var generator = FixedNumbers()
      for _ in 0..<4096 * load { filter.insert(EntryHash(first: generator.next(), second: generator.next())) }
      let ratio = filter.falsePositiveRate() / FilterSize.rate(atLoad: Double(load))
      #expect((0.7...1.4).contains(ratio))
    }
  }
}
