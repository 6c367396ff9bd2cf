import Linux
import RegdProcesses
import TestKit
import Testing

@Suite("What tests leave behind", .blocking, .timeLimit(.minutes(5)))
struct LeftoversTests {
  @Test("a directory is reported until it is removed")
  func directory() throws {
    let leftovers = Leftovers()
    let path = try Leftovers.$current.withValue(leftovers) { try TemporaryDirectory.make() }
    #expect(leftovers.remaining() == ["the directory \(path)"])
    FileSystem.removeDirectory(path)
    #expect(leftovers.remaining() == [])
  }

  @Test("a process is reported until it ends")
  func process() throws {
    try TemporaryDirectory.with { directory in
      let leftovers = Leftovers()
      let program = try Leftovers.$current.withValue(leftovers) { try Program.start(["sleep", "600"], in: directory) }
      let remaining = leftovers.remaining()
      program.end()
      #expect(remaining.count == 1)
      #expect(remaining.first?.hasPrefix("the process ") == true && remaining.first?.hasSuffix(", sleep 600") == true)
      #expect(leftovers.remaining() == [])
    }
  }

  @Test("a server's segment of shared memory is reported until it is removed, and another program's is not")
  func segment() throws {
    try TemporaryDirectory.with { directory in
      let (server, other) = (Leftovers(), Leftovers())
      // the shell keeps its process id when it becomes ipcmk, which makes a segment and ends
      let words = ["sh", "-c", "echo $$ && exec ipcmk --shmem 4096"]
      let lines = try Program.run(words, in: directory).split(separator: "\n")
      let id = try #require(lines.last?.split(separator: " ").last.map(String.init))
      let creator = try #require(lines.first.flatMap { Int32($0) })
      server.note(server: creator)
      let remaining = server.remaining()
      let later = Leftovers()
      later.note(server: creator)
      #expect(later.remaining() == [], "the segment is older than the record")
      try Program.run(["ipcrm", "--shmem-id", id], in: directory)
      #expect(remaining == ["the shared memory segment \(id) of the process \(creator)"])
      #expect(server.remaining() == [] && other.remaining() == [])
    }
  }
}
