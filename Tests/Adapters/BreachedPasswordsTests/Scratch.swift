import BreachedPasswords
import Glibc
import Registration
import Testing

/// A separate directory for a test, removed with this object.
final class Scratch {
  let path: String

  init() throws {
    var template = Array("/tmp/regd-breached-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// The names in the directory, sorted.
  var names: [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) })
    }
    return names.filter { $0 != "." && $0 != ".." }.sorted()
  }

  @discardableResult
  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    return "\(path)/\(name)"
  }

  func read(_ name: String) throws -> [UInt8] {
    let descriptor = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var status = stat()
    try #require(fstat(descriptor, &status) == 0)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    try #require(Glibc.read(descriptor, &bytes, bytes.count) == bytes.count)
    return bytes
  }

  /// Builds `list` from a file with this text.
  @discardableResult
  func build(
    _ text: String, _ change: (inout BreachedListBuilder.Options) -> Void = { _ in }
  ) throws -> BreachedListBuilder.Summary {
    try build(Array(text.utf8), change)
  }

  @discardableResult
  func build(
    _ bytes: [UInt8], _ change: (inout BreachedListBuilder.Options) -> Void = { _ in },
    progress: (BreachedListBuilder.Progress) -> Void = { _ in }
  ) throws -> BreachedListBuilder.Summary {
    let input = open(try write(bytes, to: "input"), O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    var options = BreachedListBuilder.Options(createdAt: Timestamp(microseconds: 1_700_000_000_123_456))
    change(&options)
    return try BreachedListBuilder.build(from: input, to: list, options, progress: progress)
  }

  var list: String { "\(path)/list" }
}

func password(_ text: String) -> Password { Password(utf8: Array(text.utf8)) }

/// SHA-1 of "abc" (FIPS 180, example 1), of "password" and of "" (`printf '' | sha1sum`).
let abc = "A9993E364706816ABA3E25717850C26C9CD0D89D"
let sha1OfPassword = "5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8"
let empty = "da39a3ee5e6b4b0d3255bfef95601890afd80709"

/// A generator of the same numbers every time (SplitMix64).
struct FixedNumbers: RandomNumberGenerator {
  private var state: UInt64 = 0

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}

/// `count` lines of 43 bytes, with the same hashes every time and count 1.
func lines(_ count: Int) -> [UInt8] {
  var numbers = FixedNumbers()
  let digits = Array("0123456789abcdef".utf8)
  var text: [UInt8] = []
  text.reserveCapacity(count * 43)
  for _ in 0..<count {
    for nibbles in [16, 16, 8] {
      let number = numbers.next()
      for index in 0..<nibbles { text.append(digits[Int(number >> UInt64(index * 4) & 15)]) }
    }
    text += ":1\n".utf8
  }
  return text
}
