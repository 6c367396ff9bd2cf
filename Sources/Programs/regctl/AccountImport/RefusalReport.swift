internal import AccountImport
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// Reports refused records, either in a file with one JSON object per line, or on standard error with one line each.
/// Groups left out of imported records are always reported on standard error.
struct RefusalReport: ~Copyable {
  /// The imported files.
  let files: [String]
  private let path: String?
  /// The report's file, or standard error if there is no path.
  private let file: Descriptor
  /// Lines for the file.
  private var lines: [String] = []
  /// Lines for standard error.
  private var told: [String] = []

  /// - Parameter path: A file to make, which must not exist. Only its owner can read it.
  init(_ path: String?, files: [String]) throws {
    self.files = files
    self.path = path
    do throws(SystemError) {
      file =
        try path.map { path throws(SystemError) in try .open(path, [.writing, .creatingNew], permissions: 0o600) }
        ?? .standardError
    } catch {
      throw Refusal(FailureMessageKey.cannotWriteFile, ["file": .text(path ?? ""), "reason": .text(error.text)])
    }
  }

  mutating func add(_ place: RecordPlace, _ name: String?, _ reason: String, _ message: String) {
    guard path != nil else { return tell(place, name, reason, message) }
    lines.append(
      JSONValue.object([
        .init("file", .string(files[place.file])), .init("line", .number("\(place.line)")),
        .init("record", .number("\(place.number)")), .init("name", name.map { .string($0) } ?? .null),
        .init("reason", .string(reason)), .init("message", .string(message)),
      ]).text)
  }

  /// Reports on standard error.
  mutating func tell(_ place: RecordPlace, _ name: String?, _ reason: String, _ message: String) {
    told.append(
      Speech.text(
        name == nil ? ForeignMessageKey.record : .recordOf,
        [
          "place": .sentence(place.sentence(files)), "name": .text(name ?? ""), "message": .text(message),
          "reason": .text(reason),
        ]))
  }

  /// Writes what was added since the last call.
  ///
  /// - Parameter beforeTelling: Called before lines are written to standard error, to clear the progress bar.
  /// - Throws: `Refusal` if the file cannot be written, because no refusal may get lost.
  mutating func write(_ beforeTelling: () -> Void) throws {
    if !told.isEmpty { beforeTelling() }
    for line in told { Terminal.report(text: line) }
    told = []
    guard let path, !lines.isEmpty else { return }
    defer { lines = [] }
    do throws(SystemError) {
      try file.writeAll(lines.joined(separator: "\n") + "\n")
    } catch {
      throw Refusal(FailureMessageKey.cannotWriteFile, ["file": .text(path), "reason": .text(error.text)])
    }
  }
}
