import Glibc
import Testing

@testable import BreachedPasswords

@Suite("A file before its publication")
struct FileBesideTests {
  /// Whether /tmp supports files without a name, which not every file system does.
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

  @Test("an unpublished file disappears, and the previous file stays", arguments: [true, false])
  func unpublished(nameless: Bool) throws {
    let scratch = try Scratch()
    try scratch.write([1], to: "list")
    _ = try make(scratch, nameless: nameless, publish: false)
    #expect(scratch.names == ["list"])
    #expect(try scratch.read("list") == [1])
  }

  @Test("a file that cannot get its name disappears", arguments: [true, false])
  func noName(nameless: Bool) throws {
    let scratch = try Scratch()
    #expect(mkdir(scratch.list, 0o700) == 0)
    let failure = BreachedBuildFailure.cannotWrite(path: scratch.list, action: .givenItsName, errorNumber: EISDIR)
    #expect(throws: failure) { _ = try make(scratch, nameless: nameless, publish: true) }
    #expect(scratch.names == ["list"])
    rmdir(scratch.list)
  }

  @Test("a published file replaces the previous file and the leftover of a killed process", arguments: [true, false])
  func published(nameless: Bool) throws {
    let scratch = try Scratch()
    try scratch.write([1], to: "list")
    try scratch.write([2], to: "list.\(getpid())")
    _ = try make(scratch, nameless: nameless, publish: true)
    #expect(scratch.names == ["list"])
    #expect(try scratch.read("list") == [UInt8](repeating: 0, count: 5000))
  }

  @Test("an unpublished file has no name if the file system supports it", .enabled(if: hasNameless))
  func nameless() throws {
    #expect(try make(Scratch(), nameless: true, publish: false) == [])
  }
}
