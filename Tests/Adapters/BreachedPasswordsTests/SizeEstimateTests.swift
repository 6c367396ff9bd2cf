import Glibc
import Testing

@testable import BreachedPasswords

@Suite("Size estimate")
struct SizeEstimateTests {
  private func estimate(_ bytes: [UInt8], minimumCount: UInt64 = 1, from start: Int = 0) throws -> Int {
    let scratch = try Scratch()
    let descriptor = open(try scratch.write(bytes, to: "input"), O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    let estimate = SizeEstimate(minimumCount: minimumCount, pieces: 64, pieceSize: 4096)
      .entries(descriptor, from: start, to: bytes.count)
    #expect(lseek(descriptor, 0, SEEK_CUR) == 0)
    return estimate
  }

  @Test("if no piece contains a valid line, the estimate is the number of lines that would fit")
  func nothingRight() throws {
    #expect(try estimate([]) == 0)
    let zeros = [UInt8](repeating: 0, count: 1 << 20)
    #expect(try estimate(zeros) == ((1 << 20) + 1) / 41)
  }

  @Test("for a small file, the estimate is the number of lines that would fit")
  func small() throws {
    #expect(try estimate(Array(abc.utf8)) == 1)
    #expect(try estimate(Array("\(abc)\n\(empty)".utf8)) == 2)
    #expect(try estimate(Array("\(abc)\n\(empty)".utf8), from: 41) == 1)
  }

  @Test("for a large file, the estimate is not below the number of lines, and only slightly above it")
  func large() throws {
    let bytes = lines(50_000)  // 2 MB
    #expect((50_000...51_000).contains(try estimate(bytes)))
    #expect((25_000...25_600).contains(try estimate(bytes, from: bytes.count / 2)))
  }

  @Test("the estimate respects a minimum count, even if the list is sorted by count")
  func minimumCount() throws {
    // pieces are 780 lines apart, so the counts change at many positions between two pieces
    for count in stride(from: 12_000, to: 13_000, by: 60) {
      for first in [0, 50_000 - count] {
        var sorted = lines(50_000)
        for line in first..<first + count { sorted[line * 43 + 41] = UInt8(ascii: "2") }
        #expect((count...count + 3000).contains(try estimate(sorted, minimumCount: 2)), "\(count) from \(first)")
      }
    }
    var mixed = lines(50_000)
    for line in stride(from: 0, to: 50_000, by: 4) { mixed[line * 43 + 41] = UInt8(ascii: "2") }
    #expect((12_500...15_500).contains(try estimate(mixed, minimumCount: 2)))
  }
}
