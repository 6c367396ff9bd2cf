internal import ArgumentParser
internal import RegctlCommandLine

/// `regctl matrix`. regctl reads the command line, and `regd-matrix` runs the command.
struct MatrixCommand: ParsableCommand {
  static let configuration = MatrixArguments.command
  @OptionGroup var arguments: MatrixArguments

  func run() throws { try OtherProgram.matrix.become() }
}
