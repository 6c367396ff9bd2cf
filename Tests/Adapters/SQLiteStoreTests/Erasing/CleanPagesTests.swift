import Testing

@testable import SQLiteStore

@Suite("SQLite: the unused gap in a page")
struct CleanPagesTests {
  /// A page of 512 bytes with this number of cells, whose first cell begins at `beginning`.
  private func page(_ kind: UInt8, cells: Int, from beginning: Int, header: Int = 0) -> [UInt8] {
    var page = [UInt8](repeating: 0xAA, count: 512)
    page[header] = kind
    (page[header + 3], page[header + 4]) = (UInt8(cells >> 8), UInt8(cells & 255))
    (page[header + 5], page[header + 6]) = (UInt8(beginning >> 8), UInt8(beginning & 255))
    return page
  }

  private func gap(_ page: [UInt8], at offset: Int64 = 512) -> Range<Int>? {
    page.withUnsafeBytes { CleanPages.gap(of: $0, at: offset) }
  }

  @Test("the gap is between the list of cells and the first cell, in each kind of B-tree page")
  func kinds() {
    for (kind, header) in [(UInt8(2), 12), (5, 12), (10, 8), (13, 8)] {
      #expect(gap(page(kind, cells: 7, from: 300)) == header + 14..<300)
    }
    #expect(gap(page(13, cells: 0, from: 512)) == 8..<512)
    #expect(gap(page(13, cells: 2, from: 400, header: 100), at: 0) == 112..<400, "behind the header of the file")
  }

  @Test("a gap has remnants if any byte in it is not 0; bytes outside do not count")
  func remnants() {
    for gap in [0..<0, 3..<4, 13..<29, 5..<64] {
      for place in 0..<64 {
        var page = [UInt8](repeating: 0, count: 64)
        page[place] = 1
        let isSeen = page.withUnsafeBytes { CleanPages.hasRemnants($0, in: gap) }
        #expect(isSeen == gap.contains(place), "\(place) in \(gap)")
      }
    }
  }

  @Test("the gap is unknown in other kinds of pages, in partial pages and in inconsistent pages")
  func others() {
    for kind in [UInt8(0), 1, 3, 4, 6, 9, 11, 12, 14, 255] { #expect(gap(page(kind, cells: 7, from: 300)) == nil) }
    #expect(gap(page(13, cells: 7, from: 20)) == nil, "a cell before the end of the list")
    #expect(gap(page(13, cells: 7, from: 600)) == nil, "a cell behind the page")
    #expect(gap(page(13, cells: 0, from: 0)) == nil, "which stands for 65536")
    #expect(gap(page(13, cells: 7, from: 300), at: 100) == nil, "not at the place of a page")
    #expect(gap(Array(page(13, cells: 7, from: 300).prefix(511))) == nil, "a part of a page")
    #expect(gap([]) == nil)
  }
}
