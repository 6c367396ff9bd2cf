internal import ArgumentParser
internal import Glibc
internal import Matrix

struct MatrixCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: "Shows what callers see under each environment; exit status 1 if that is not what they must see.",
    discussion: "Starts a regd of its own for every cell: environments and stores down, flows across.")

  @Argument(help: "The directory of the environments.") var directory = "/etc/regd/environments"
  @Option(help: "The regd to start.") var regd = "/usr/bin/regd"
  @Option(help: "Only environments or flows with this in their name.") var filter: String?

  func run() throws {
    let matrix: Matrix
    do throws(Matrix.Empty) {
      matrix = try Matrix(regd: regd, directory: directory, filter: filter)
    } catch {
      throw ValidationError(error.description)
    }
    let showsProgress = isatty(STDERR_FILENO) == 1
    var done = 0
    let report = matrix.run { _ in
      done += 1
      if showsProgress { Self.show("\r\(done) of \(matrix.cellCount) cells") }
    }
    if showsProgress { Self.show("\r\u{1B}[K") }
    print(report.table(colour: Terminal.wantsColour))
    if !report.isGreen { throw Refusal(message: nil) }
  }

  private static func show(_ text: String) { _ = write(STDERR_FILENO, text, text.utf8.count) }
}
