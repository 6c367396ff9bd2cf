internal import CLinux
internal import Glibc

/// What the process was started with.
enum ProcessEnvironment {
  static var all: [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      next += 1
    }
    return variables
  }

  /// So that no file or socket of ours becomes standard error by taking a number that was free.
  static func openStandardDescriptors() {
    var descriptor = open("/dev/null", O_RDWR)
    while descriptor >= 0, descriptor <= STDERR_FILENO { descriptor = open("/dev/null", O_RDWR) }
    if descriptor >= 0 { close(descriptor) }
  }

  /// Has the C library give memory back that is not needed any more. Left alone it learns from a large block that is
  /// freed to keep the next ones, and a moment with many callers stays in the daemon's size for ever.
  static func giveMemoryBack() {
    linux_give_memory_back(131_072)
  }

  /// As many connections as the machine lets us have, whatever a shell's soft limit is.
  static func raiseDescriptorLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// A file's text, or nil with errno(3) set; EILSEQ where it is no UTF-8.
  static func text(ofFile path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes.append(contentsOf: chunk[..<count])
    }
    guard ferror(file) == 0 else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      errno = EILSEQ
      return nil
    }
    return text
  }
}
