internal import Glibc

/// Variables from the program that started this process, and the change into another program.
extension ThisProcess {
  /// Bytes of an environment variable, UTF-8 or not. Nil if it is not set.
  package static func bytes(ofVariable name: String) -> [UInt8]? {
    getenv(name).map { text in UnsafeBufferPointer(start: text, count: strlen(text)).map { UInt8(bitPattern: $0) } }
  }

  /// Replaces this process's program by another one (execvp(3)). The new program keeps the environment, and all
  /// descriptors except those that close on exec.
  ///
  /// - Parameters:
  ///   - program: A path, or a name to look up in PATH.
  ///   - arguments: Without the program's own name.
  ///   - name: The name that the new program gets as its own (argument 0). The default is `program`.
  ///   - variables: Environment variables to set first.
  /// - Throws: If the other program cannot be started. The present program continues.
  package static func become(
    _ program: String, _ arguments: [String], named name: String? = nil, setting variables: [String: String] = [:]
  ) throws(SystemError) -> Never {
    for (name, value) in variables { setenv(name, value, 1) }
    let words = ([name ?? program] + arguments).map { strdup($0) } + [nil]
    execvp(program, words)
    let failure = errno
    for word in words { free(word) }
    throw SystemError("execvp", failure)
  }
}
