package import FullScreen
package import Linux
internal import Localization
package import UserMessages

extension Terminal {
  /// - Throws: `Refusal` if a part of the output was lost, because a script must not take the other part for the whole output.
  package static func checkOutput() throws {
    guard !ThisProcess.hasLostOutput else { throw Refusal(FailureMessageKey.outputLost) }
  }

  /// Prints rows, each safe for the terminal, in colour if the terminal has it.
  package static func print(_ rows: [[Drawing.Span]]) {
    for row in rows { Terminal.print(styled: Drawing.text(row, styled: wantsColour)) }
  }

  /// Opens a file for reading. "-" is standard input.
  ///
  /// - Throws: A refusal with the reason.
  package static func openInput(_ file: String) throws -> Descriptor {
    do throws(SystemError) { return try file == "-" ? .standardInput : .open(file, .reading) } catch {
      throw Refusal(FailureMessageKey.cannotOpen, ["file": .text(file), "reason": .text(error.text)])
    }
  }
}
