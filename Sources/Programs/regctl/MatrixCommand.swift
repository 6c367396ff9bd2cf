internal import ArgumentParser
internal import FullScreen
internal import Linux
internal import Matrix
internal import RegdClient
internal import Sentences
internal import Synchronization

struct MatrixCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: .said(WatchingHelp.matrix),
    discussion:
      .said(WatchingHelp.matrixMore)
  )

  @Argument(help: .said(WatchingHelp.matrixDirectory)) var directory = "/etc/regd/environments"
  @Option(help: .said(WatchingHelp.matrixRegd, valueName: "path")) var regd = "/usr/bin/regd"
  @Option(help: .said(WatchingHelp.matrixFilter, valueName: "text")) var filter: String?
  @Option(help: .said(WatchingHelp.matrixHTML, valueName: "file")) var html: String?
  @Option(help: .said(WatchingHelp.matrixJobs, valueName: "count")) var jobs: Int?
  @Flag(help: .said(WatchingHelp.matrixJSON)) var json = false

  func validate() throws {
    if let jobs, !(1...64).contains(jobs) {
      throw ValidationError(UsageSentence.jobs, ["value": .number(jobs)])
    }
  }

  func run() throws {
    let matrix: Matrix
    do throws(Matrix.Empty) {
      matrix = try Matrix(regd: regd, directory: directory, filter: filter)
    } catch {
      throw ValidationError(Speech.text(error.sentence))
    }
    let bar = Mutex(ProgressBar(of: .cells))
    let count = matrix.cellCount
    let report = matrix.run(jobs: jobs) { done in
      bar.withLock { $0.show(ProgressSentence.cells, ["count": .number(done), "all": .number(count)]) }
    }
    bar.withLock { $0.interrupt() }
    if let html {
      do throws(SystemError) { try FileWriting.write(report.html(), to: html) } catch {
        throw Refusal(FailureSentence.cannotWriteFile, ["file": .text(html), "reason": .text(error.text)])
      }
    }
    if json {
      Terminal.print(Self.json(report).text)
    } else {
      Terminal.print(report.drawing(width: Terminal.width, Glyphs.ofLocale(), Speech.language))
    }
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
