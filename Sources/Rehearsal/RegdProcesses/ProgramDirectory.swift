internal import Linux

/// The directory of the running program, where the build puts its other products too.
package enum ProgramDirectory {
  package static var own: String { FileSystem.directory(of: ThisProcess.program) }
}
