internal import ArgumentParser
internal import Linux
internal import Matrix
internal import RegdClient
internal import Synchronization

struct MatrixCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: "Shows what callers see under each environment; exit status 1 if that is not what they must see.",
    discussion:
      "Starts a regd of its own for every cell: environments down, flows across, each on every store, and with the network that is built in as well as over HTTP against a server that misbehaves the same way."
  )

  @Argument(help: "The directory of the environments.") var directory = "/etc/regd/environments"
  @Option(help: "The regd to start.") var regd = "/usr/bin/regd"
  @Option(help: "Only environments or flows with this in their name.") var filter: String?
  @Option(help: "Write the table as a page to this file.") var html: String?
  @Option(help: "How many cells at once; else two per core.") var jobs: Int?
  @Flag(help: "Print the cells as JSON; errors as JSON on standard error.") var json = false

  func validate() throws {
    if let jobs, !(1...64).contains(jobs) { throw ValidationError("--jobs must be from 1 to 64, not \(jobs)") }
  }

  func run() throws {
    let matrix: Matrix
    do throws(Matrix.Empty) {
      matrix = try Matrix(regd: regd, directory: directory, filter: filter)
    } catch {
      throw ValidationError(error.description)
    }
    let showsProgress = Descriptor.standardError.isTerminal
    let done = Atomic<Int>(0)
    let count = matrix.cellCount
    let report = matrix.run(jobs: jobs) { _ in
      let number = done.add(1, ordering: .relaxed).newValue
      if showsProgress { Terminal.show("\r\(number) of \(count) cells") }
    }
    if showsProgress { Terminal.show("\r\u{1B}[K") }
    if let html {
      do throws(SystemError) { try FileWriting.write(report.html(), to: html) } catch {
        throw Refusal(message: "\(html) cannot be written: \(error.text)")
      }
    }
    print(json ? Self.json(report).text : report.table(colour: Terminal.wantsColour, width: Terminal.width))
    if !report.isGreen { throw Refusal(message: nil) }
  }

  private static func json(_ report: Report) -> JSONValue {
    .object([
      .init("regd", .string(report.regd)), .init("green", .bool(report.isGreen)),
      .init("seconds", .number("\((report.took / .milliseconds(1)).rounded() / 1000)")),
      .init("cells", .array(report.cells.map(json))),
    ])
  }

  private static func json(_ cell: Cell) -> JSONValue {
    let (result, text) =
      switch cell.result {
      case .seen(let text): ("seen", text)
      case .fault(let text): ("fault", text)
      case .absent(let text): ("absent", text)
      }
    return [
      "environment": .string(cell.environment), "rendering": .string(cell.rendering), "store": .string(cell.store),
      "flow": .string(cell.flow), "result": .string(result), "text": .string(text),
    ]
  }
}
