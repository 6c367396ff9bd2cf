import Linux
import Testing

struct FileTests {
  private func withDirectory(_ body: (String) throws -> Void) throws {
    let directory = try FileSystem.makeTemporaryDirectory("/tmp/linux-")
    defer { FileSystem.removeDirectory(directory) }
    try body(directory)
  }

  @Test("Reading returns the whole file up to the limit, and fails for a larger file")
  func limit() throws {
    try withDirectory { directory in
      let path = "\(directory)/file"
      let bytes = [UInt8](repeating: 7, count: 200_000)
      try FileWriting.write(bytes, to: path)
      #expect(try FileReading.bytes(path, atMost: 200_000) == bytes)
      #expect(throws: FileReading.Failure.tooLarge(limit: 199_999)) { try FileReading.bytes(path, atMost: 199_999) }
      #expect(throws: FileReading.Failure.tooLarge(limit: 10)) { try FileReading.bytes("/dev/zero", atMost: 10) }
    }
  }

  @Test("A file that cannot be read causes an error with the reason")
  func failures() throws {
    try withDirectory { directory in
      try FileWriting.write("good\nbad\u{FF}".utf8.map { $0 } + [0xFF], to: "\(directory)/file")
      #expect(throws: FileReading.Failure.notText(line: 2)) { try FileReading.text("\(directory)/file") }
      let missing = #expect(throws: FileReading.Failure.self) { try FileReading.bytes("\(directory)/none") }
      #expect(missing?.isNotFound == true)
      #expect(missing?.description == "cannot be read: No such file or directory")
      let folder = #expect(throws: FileReading.Failure.self) { try FileReading.bytes(directory) }
      #expect(folder == .system(SystemError("read", SystemError.isDirectory)))
    }
  }

  @Test("Ending a borrow leaves the descriptor open, and closing its owner closes it")
  func ownership() throws {
    let kept = try Descriptor.open("/dev/null", .reading)
    let number = kept.number
    do { _ = Descriptor(borrowing: number) }
    #expect(try Descriptor(borrowing: number).status().kind == .device)
    try kept.close()
    #expect(throws: SystemError.self) { try Descriptor(borrowing: number).status() }
  }

  @Test("The file system reports a path's kind, size, links and identity, a link's target, and missing files")
  func status() throws {
    try withDirectory { directory in
      try FileWriting.write([1, 2, 3], to: "\(directory)/file")
      let file = try Descriptor.open("\(directory)/file", .reading)
      try file.link(as: "\(directory)/other")
      let status = try FileStatus("\(directory)/other")
      #expect(status == (try file.status()))
      #expect((status.kind, status.size, status.links) == (.regular, 3, 2))
      #expect(try FileStatus("/proc/self/exe", followsLink: false).kind == .link)
      #expect(FileSystem.linkTarget("\(directory)/file") == nil)
      #expect(throws: SystemError.self) { try file.linkTarget() }
      #expect(FileSystem.linkTarget("/proc/self/exe") == ThisProcess.program)
      let link = try Descriptor.open("/proc/self/exe", [.placeOnly, .withoutLink])
      let target = try link.linkTarget()
      #expect(target == ThisProcess.program)
      #expect(try FileSystem.names(in: directory) == ["file", "other"])
      #expect(FileSystem.isMissing("\(directory)/none"))
      #expect(!FileSystem.isMissing("\(directory)/file/none"))
    }
  }

  @Test("A lock is exclusive until its descriptor is closed")
  func lock() throws {
    try withDirectory { directory in
      let path = "\(directory)/lock"
      let first = try Descriptor.open(path, [.readingAndWriting, .creating])
      let second = try Descriptor.open(path, .readingAndWriting)
      try first.lock()
      #expect(throws: SystemError("flock", SystemError.wouldBlock)) { try second.lock() }
      try first.close()
      try second.lock()
    }
  }

  @Test("Reserving more space than the disk has fails, and a smaller reservation then succeeds")
  func reserve() throws {
    try withDirectory { directory in
      let file = try Descriptor.open("\(directory)/file", [.writing, .creatingNew])
      #expect(throws: SystemError("fallocate", SystemError.noSpace)) { try file.reserve(1 << 60) }
      try file.reserve(5000)
      #expect(try file.status().size == 5000)
    }
  }
}
