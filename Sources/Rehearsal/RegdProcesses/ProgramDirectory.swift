internal import Linux

/// The directory of the running program, which also has the build's other products.
package enum ProgramDirectory {
  package static var own: String { FileSystem.directory(of: ThisProcess.program) }
}
