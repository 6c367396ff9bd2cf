internal import ArgumentParser
internal import FullScreen
internal import Linux
internal import Localization
internal import Matrix
internal import RegctlCommandLine
internal import RegdClient
internal import Synchronization
internal import UserMessages

/// `regctl matrix`: shows what callers see in each environment.
struct MatrixCommand: ParsableCommand {
  static let configuration = MatrixArguments.command
  @OptionGroup var arguments: MatrixArguments

  func run() throws {
    let matrix: Matrix
    do throws(Matrix.Empty) {
      matrix = try Matrix(regd: arguments.regd, directory: arguments.directory, filter: arguments.filter)
    } catch {
      throw ValidationError(Speech.text(error.sentence))
    }
    let bar = Mutex(ProgressBar(of: .cells))
    let count = matrix.cellCount
    let report = matrix.run(jobs: arguments.jobs) { done in
      bar.withLock { $0.show(ProgressMessageKey.cells, ["count": .number(done), "all": .number(count)]) }
    }
    bar.withLock { $0.interrupt() }
    if let html = arguments.html {
      do throws(SystemError) { try FileWriting.write(report.html(), to: html) } catch {
        throw Refusal(FailureMessageKey.cannotWriteFile, ["file": .text(html), "reason": .text(error.text)])
      }
    }
    if arguments.json {
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
