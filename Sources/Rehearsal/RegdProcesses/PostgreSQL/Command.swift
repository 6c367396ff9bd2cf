internal import Linux

/// Runs programs.
enum Command {
  /// This process's variables without those that configure regd, or PostgreSQL's programs and library.
  static var environment: [String: String] {
    ThisProcess.environment.filter { !$0.key.hasPrefix("PG") && !$0.key.hasPrefix("REGD_") }
  }

  /// Starts a program in a directory.
  ///
  /// - Parameter words: The program and its arguments.
  /// - Returns: The program's process id.
  static func start(
    _ words: [String], in directory: String, _ descriptors: [Int32: ChildProcess.Descriptor],
    adding variables: [String: String] = [:]
  ) throws(ChildProcess.Failure) -> Int32 {
    try ChildProcess.start(
      "/bin/sh", ["-c", #"cd "$0" && exec "$@""#, directory] + words,
      environment: environment.merging(variables) { $1 }, descriptors, resetsSignals: true)
  }

  /// Runs a program in a directory, to its end. Blocks.
  ///
  /// - Returns: Its standard output without the last line's end.
  /// - Throws: If its exit status is not 0. The message has its output.
  @discardableResult
  static func run(
    _ words: [String], in directory: String, adding variables: [String: String] = [:]
  ) throws -> String {
    let pair = try Descriptor.pipe()
    let theirs = pair.second
    let ours = pair.first
    let pid = try start(
      words, in: directory, [0: .null, 1: .parents(theirs.number), 2: .child(1)], adding: variables)
    try theirs.close()
    let read = Result { try ours.readToEnd(beyond: .max - 1) }
    let status = ChildProcess.reap(pid) ?? -1
    var output = String(decoding: try read.get(), as: UTF8.self)
    guard status == 0 else {
      throw RegdProcess.Failure(description: "\(words.joined(separator: " ")) (exit status \(status)): \(output)")
    }
    if output.last == "\n" { output.removeLast() }
    return output
  }
}
