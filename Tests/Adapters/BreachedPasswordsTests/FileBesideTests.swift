import Glibc
import Testing

@testable import BreachedPasswords

@Suite("File beside its place")
struct FileBesideTests {
  /// Not every file system has files without a name.
  private static var hasNameless: Bool {
    let descriptor = open("/tmp", 0o20_000_000 | O_DIRECTORY | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }

  private func make(_ scratch: Scratch, nameless: Bool, publish: Bool) throws -> [String] {
    var file = try FileBeside(path: scratch.list, nameless: nameless)
    let names = scratch.names
    try file.reserve(5000)
    if publish { try file.publish() }
    return names
  }

  @Test("what is not published is gone, and what was there before is there", arguments: [true, false])
  func unpublished(nameless: Bool) throws {
    let scratch = try Scratch()
    try scratch.write([1], to: "list")
    _ = try make(scratch, nameless: nameless, publish: false)
    #expect(scratch.names == ["list"])
    #expect(try scratch.read("list") == [1])
  }

  @Test("what cannot have its name is gone as well", arguments: [true, false])
  func noName(nameless: Bool) throws {
    let scratch = try Scratch()
    #expect(mkdir(scratch.list, 0o700) == 0)
    let failure = BreachedBuildFailure.cannotWrite(path: scratch.list, action: .givenItsName, errorNumber: EISDIR)
    #expect(throws: failure) { _ = try make(scratch, nameless: nameless, publish: true) }
    #expect(scratch.names == ["list"])
    rmdir(scratch.list)
  }

  @Test("what is published replaces what was there, whatever a killed process left", arguments: [true, false])
  func published(nameless: Bool) throws {
    let scratch = try Scratch()
    try scratch.write([1], to: "list")
    try scratch.write([2], to: "list.\(getpid())")
    _ = try make(scratch, nameless: nameless, publish: true)
    #expect(scratch.names == ["list"])
    #expect(try scratch.read("list") == [UInt8](repeating: 0, count: 5000))
  }

  @Test("until then it has no name, where the file system can do that", .enabled(if: hasNameless))
  func nameless() throws {
    #expect(try make(Scratch(), nameless: true, publish: false) == [])
  }
}
