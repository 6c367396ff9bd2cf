import Glibc
import Linux
import RegdClient
import RegdProcesses
import TestKit
import Testing

@testable import AuditVerification

@Suite("Heads of the audit", .blocking)
struct HeadTests {
  /// Signed by another program, with a seed of 32 zero bytes.
  private static let good = #"""
    {"size":0,"root":"47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=","time":"2026-11-29T02:33:10.139707Z",\#
    "key":"O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik=",\#
    "signature":"FBHJcVd5aufW7nt/6tPCvg1chpZ86AFp4rY1XBrr/66fyKoC6NIVs59bH14gZRXGkSx0sCgCYvV9X/U8SrSSCw=="}
    """#

  private func head(_ text: String) -> AuditHead? { JSONValue(text.utf8).flatMap(AuditHead.init) }

  @Test("a value that lacks one of the five members, or has one of another type, is not a head")
  func noHead() throws {
    guard case .object(let members)? = JSONValue(Self.good.utf8) else { throw Unexpected() }
    for index in members.indices {
      var less = members
      less.remove(at: index)
      #expect(AuditHead(.object(less)) == nil)
      less.insert(.init(members[index].name, .bool(true)), at: index)
      #expect(AuditHead(.object(less)) == nil)
    }
    for (one, other) in [("\"size\":0", "\"size\":-1"), ("\"root\":\"47", "\"root\":\"4"), ("SSCw==", "SSCw=")] {
      #expect(head(Self.good.replacing(one, with: other)) == nil, "\(other)")
    }
  }

  private struct Unexpected: Error {}

  @Test("the signature is that of another program, and does not fit if anything was changed")
  func signature() throws {
    #expect(try #require(self.head(Self.good)).isSigned)
    for (one, other) in [
      ("\"size\":0", "\"size\":1"), ("02:33:10", "02:33:11"), ("47DEQ", "48DEQ"), ("O2onv", "O2onw"),
      ("FBHJc", "GBHJc"), ("Z2ik=\"", "Z2ikAAAA\""), ("SSCw==", "SSCwAA"),
    ] {
      let changed = Self.good.replacing(one, with: other)
      #expect(changed != Self.good && head(changed)?.isSigned == false, "\(other)")
    }
  }

  @Test("a file is read as its heads, and the numbers of the lines that are not heads")
  func lines() {
    let file = HeadsFile(Array("\(Self.good)\n\n{}\n\(Self.good)\n".utf8))
    #expect(file.heads.map(\.number) == [1, 4] && file.otherLines == [2, 3])
    #expect(file.heads.first?.head.text == Self.good)
    #expect(HeadsFile(Array(Self.good.utf8)).heads.count == 1, "the last line may lack its line feed")
    #expect(HeadsFile(Array(Self.good.utf8.dropLast())).otherLines == [1], "it may not lack anything else")
    #expect(HeadsFile([]).heads.isEmpty && HeadsFile([]).otherLines.isEmpty)
  }

  @Test("an appended head begins on a new line, in a file that only its owner can read")
  func appended() throws {
    let head = try #require(self.head(Self.good))
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/heads"
      #expect(throws: SystemError.self) { try HeadsFile.append(head, to: "\(directory)/missing/heads") }
      #expect(throws: SystemError.self) { try HeadsFile.append(head, to: directory) }
      try HeadsFile.append(head, to: path)
      try HeadsFile.append(head, to: path)
      #expect(TextFile.read(path) == "\(Self.good)\n\(Self.good)\n")
      #expect(try FileStatus(path).permissions == 0o600)
      try TextFile.write("cut off", to: path)
      try HeadsFile.append(head, to: path)
      #expect(TextFile.read(path) == "cut off\n\(Self.good)\n")
    }
  }

  @Test("a head is not appended through a link of another user, or through a circle of links", .alsoAsRoot)
  func link() throws {
    let head = try #require(self.head(Self.good))
    try TemporaryDirectory.with { directory in
      let (path, second, target) = ("\(directory)/heads", "\(directory)/second", "\(directory)/target")
      #expect(symlink("second", path) == 0 && symlink("heads", second) == 0)
      #expect(throws: SystemError.self) { try HeadsFile.append(head, to: path) }
      FileSystem.remove(second)
      #expect(symlink(target, second) == 0)
      if ThisProcess.effectiveUser == 0 {
        for link in [path, second] {
          #expect(lchown(link, 65534, 65534) == 0)
          #expect(throws: SystemError.self, "\(link)") { try HeadsFile.append(head, to: path) }
          #expect(FileSystem.isMissing(target))
          #expect(lchown(link, 0, 0) == 0)
        }
      }
      try HeadsFile.append(head, to: path)
      #expect(TextFile.read(target) == "\(Self.good)\n")
    }
  }

  @Test("heads that are appended at once are all in the file, each whole")
  func atOnce() throws {
    let head = try #require(self.head(Self.good))
    try TemporaryDirectory.with { directory in
      let path = "\(directory)/heads"
      let threads = try (0..<8).map { _ in
        try StartedThread(name: "appending", niceness: 0) {
          for _ in 0..<25 { try? HeadsFile.append(head, to: path) }
        }
      }
      for thread in threads { thread.join() }
      let file = try HeadsFile(path: path)
      #expect(file.heads.count == 200 && file.otherLines.isEmpty)
    }
  }
}
