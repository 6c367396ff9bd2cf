import Glibc
import Localization
import Registration
import Testing

@testable import BreachedPasswords

@Suite("Building a list")
struct BuilderTests {
  private typealias Options = BreachedListBuilder.Options

  private func failure(
    _ scratch: Scratch, _ bytes: [UInt8], _ change: (inout BreachedListBuilder.Options) -> Void = { _ in }
  ) -> BreachedBuildFailure? {
    do {
      try scratch.build(bytes, change)
      return nil
    } catch {
      return error as? BreachedBuildFailure
    }
  }

  private func failure(
    _ text: String, _ change: (inout BreachedListBuilder.Options) -> Void = { _ in }
  ) throws -> BreachedBuildFailure? {
    let scratch = try Scratch()
    try scratch.write(Array("before".utf8), to: "list")
    let failure = failure(scratch, Array(text.utf8), change)
    // the previous file is unchanged, and there is no other file
    #expect(try scratch.read("list") == Array("before".utf8))
    #expect(scratch.names == ["input", "list"])
    return failure
  }

  @Test("an impossible rate is refused", arguments: [0, -1, 1, 0.11, 0.000_000_9, Double.nan, .infinity])
  func rate(_ rate: Double) throws {
    guard case .impossibleRate = try failure("\(abc):1\n", { $0.falsePositiveRate = rate }) else {
      Issue.record("\(rate) was taken")
      return
    }
  }

  @Test("an impossible number of entries is refused", arguments: [-1, Int.max])
  func entries(_ entries: Int) throws {
    #expect(try failure("\(abc):1\n") { $0.entries = entries } == .impossibleEntries(entries))
  }

  @Test("a list larger than the disk is refused when its space is reserved")
  func noRoom() throws {
    let failure = try failure("\(abc):1\n") { $0.entries = 1_000_000_000_000_000 }
    guard case .cannotWrite(_, let action, ENOSPC) = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    guard case .given = action else {
      Issue.record("\(action)")
      return
    }
  }

  @Test("an input without lines, valid lines or remaining entries is refused")
  func nothing() throws {
    #expect(try failure("") == .noLines)
    let problems = [
      LineProblem(line: 1, reason: LocalizedMessage(HashLineMessageKey.empty)),
      LineProblem(line: 2, reason: LocalizedMessage(HashLineMessageKey.digits, ["count": 1])),
    ]
    #expect(try failure("\n1") == .notAHashList(problems: problems))
    #expect(try failure("\(abc):1\n\(empty):2\n") { $0.minimumCount = 3 } == .allLeftOut(lines: 2, minimumCount: 3))
    #expect(try failure("\(abc):0\n") == .allLeftOut(lines: 1, minimumCount: 1))
    let noCount = [LineProblem(line: 1, reason: LineProblem.noCount)]
    #expect(try failure("\(abc)\n") { $0.minimumCount = 2 } == .notAHashList(problems: noCount))
  }

  @Test("a hundred invalid lines at the beginning are refused, but not ninety-nine, or five hundred later")
  func anotherFile() throws {
    let wrong = { String(repeating: "x\n", count: $0) }
    guard case .notAHashList(let problems) = try failure(wrong(100) + "\(abc):1\n") else {
      Issue.record("a hundred wrong lines were taken")
      return
    }
    #expect(problems.map(\.line) == [1, 2, 3, 4, 5])
    #expect(try Scratch().build(wrong(99) + "\(abc):1\n").skipped == 99)
    #expect(try Scratch().build("\(abc):1\n" + wrong(500)).skipped == 500)
  }

  @Test("a line that is too long counts as one invalid line, even without an end")
  func longLine() throws {
    let scratch = try Scratch()
    let (long, longer) = (String(repeating: "1", count: 4097), String(repeating: "0", count: 3 << 20))
    let summary = try scratch.build("\(abc):1\n\(long)\n\(longer)\n\(empty):1\n\(long)")
    #expect(summary.entries == 2)
    #expect(summary.problems == [2, 3, 5].map { LineProblem(line: $0, reason: LineProblem.tooLong) })
    #expect(try BreachedList(path: scratch.list).contains(password("")))
  }

  @Test("an output that is not a file, is the input itself, or cannot be written is refused")
  func output() throws {
    let scratch = try Scratch()
    let input = open(try scratch.write(Array("\(abc):1\n".utf8), to: "input"), O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    func failure(_ path: String) -> BreachedBuildFailure? {
      do throws(BreachedBuildFailure) {
        _ = try BreachedListBuilder.build(from: input, to: path, Options(createdAt: Timestamp(microseconds: 0)))
        return nil
      } catch {
        return error
      }
    }
    #expect(failure(scratch.path) == .notAFile(path: scratch.path))
    #expect(failure("/dev/null") == .notAFile(path: "/dev/null"))
    #expect(failure("\(scratch.path)/input") == .wouldReplaceInput(path: "\(scratch.path)/input"))
    let nowhere = "\(scratch.path)/no/list"
    #expect(failure(nowhere) == .cannotWrite(path: nowhere, action: .made, errorNumber: ENOENT))
    #expect(scratch.names == ["input"])
  }

  @Test("an unreadable input is reported and leaves no file")
  func unreadable() throws {
    let scratch = try Scratch()
    let input = open(try scratch.write([], to: "input"), O_WRONLY | O_CLOEXEC)
    defer { close(input) }
    var options = Options(createdAt: Timestamp(microseconds: 0))
    options.entries = 1
    #expect(throws: BreachedBuildFailure.cannotRead(errorNumber: EBADF)) {
      try BreachedListBuilder.build(from: input, to: scratch.list, options)
    }
    #expect(scratch.names == ["input"])
  }

  @Test("a pipe needs a stated number of entries, and entries beyond it are accepted and change the rate")
  func pipe() throws {
    let scratch = try Scratch()
    var ends: [Int32] = [-1, -1]
    #expect(Glibc.pipe(&ends) == 0)
    defer { close(ends[0]) }
    let text = lines(1000)  // fits the pipe
    #expect(write(ends[1], text, text.count) == text.count)
    close(ends[1])
    var options = Options(createdAt: Timestamp(microseconds: 0))
    #expect(throws: BreachedBuildFailure.sizeUnknown) {
      try BreachedListBuilder.build(from: ends[0], to: scratch.list, options)
    }
    options.entries = 10
    let summary = try BreachedListBuilder.build(from: ends[0], to: scratch.list, options)
    #expect(summary.entries == 1000)
    #expect(summary.plannedEntries == 10)
    // a page has room for 2000 at 0.001
    #expect(summary.falsePositiveRate < 0.001)
    #expect(try BreachedList(path: scratch.list).entries == 1000)
  }

  @Test("invalid lines are counted, the first five are reported, and the valid lines are used")
  func skipped() throws {
    let text = "\(abc):1\nx\n\(empty)\r\n\n\(abc):x\ny\nz\nlast"
    let summary = try Scratch().build(text)
    #expect(summary.entries == 2)
    #expect(summary.skipped == 6)
    #expect(summary.lines == 8)
    #expect(summary.problems.map(\.line) == [2, 4, 5, 6, 7])
    let first = "line 2: \"x\" at column 1 is not a hexadecimal digit; expected HEX or HEX:COUNT"
    #expect(summary.problems.first?.description == first)
  }

  @Test("a minimum count leaves out hashes with a lower count")
  func minimumCount() throws {
    let scratch = try Scratch()
    let summary = try scratch.build("\(abc):9\n\(sha1OfPassword):10\n\(empty):11\n") { $0.minimumCount = 10 }
    #expect(summary.entries == 2)
    #expect(summary.leftOut == 1)
    let list = try BreachedList(path: scratch.list)
    #expect(!list.contains(password("abc")) && list.contains(password("password")) && list.contains(password("")))
  }

  @Test("lines that span two reads are complete, so that every line of a large file is in the list")
  func manyReads() throws {
    let scratch = try Scratch()
    let text = lines(100_000)  // 4.3 MB, 43 bytes a line: reads end within them
    let summary = try scratch.build(text)
    #expect(summary.entries == 100_000)
    #expect(summary.skipped == 0)
    let list = try BreachedList(path: scratch.list)
    text.withUnsafeBufferPointer { bytes in
      let start = bytes.baseAddress!
      let found = (0..<100_000).count { index in
        HashLine(at: start + index * 43, before: start + bytes.count).map { list.contains($0.hash) } ?? false
      }
      #expect(found == 100_000)
    }
  }

  @Test("every user may read a list, whatever the umask of the builder")
  func mode() throws {
    let scratch = try Scratch()
    let before = umask(0o077)
    defer { umask(before) }
    try scratch.build("\(abc):1\n")
    var status = stat()
    #expect(stat(scratch.list, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o644)
  }

  @Test("the builder reports progress while it reads, and at the end while it writes")
  func progress() throws {
    let scratch = try Scratch()
    let text = lines(1_000_000)  // 43 MB: two of 16 MiB and a rest
    var seen: [BreachedListBuilder.Progress] = []
    try scratch.build(text, { _ in }, progress: { seen.append($0) })
    #expect(seen.map(\.isWriting) == [false, false, true])
    #expect(seen.allSatisfy { $0.byteCount == text.count })
    #expect((seen.first?.bytesRead ?? 0) >= 16 << 20)
    #expect(seen.last?.bytesRead == text.count)
    #expect(seen.last?.linesRead == 1_000_000)
    #expect(seen.last?.fraction == 1)
  }
}
