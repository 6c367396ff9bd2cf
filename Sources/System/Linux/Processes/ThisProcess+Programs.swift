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
  ///   - variables: Environment variables to set first.
  /// - Throws: If the other program cannot be started. The present program continues.
  package static func become(
    _ program: String, _ arguments: [String], setting variables: [String: String]
  ) throws(SystemError) -> Never {
    for (name, value) in variables { setenv(name, value, 1) }
    throw replace("execvp", [program] + arguments) { execvp(program, $0) }
  }

  /// Like `become`, but for the program in a file (execv(3)). Fails if the file is not a program. execvp(3) would make a shell
  /// run it, and if it is empty, the shell would end with exit status 0.
  ///
  /// - Parameter name: The name that the new program gets as its own (argument 0). The default is the path.
  package static func become(
    programAt path: String, _ arguments: [String], named name: String? = nil
  ) throws(SystemError) -> Never {
    throw replace("execv", [name ?? path] + arguments) { execv(path, $0) }
  }

  /// Passes the words to an exec function, which returns only if it fails.
  private static func replace(
    _ call: String, _ words: [String], _ execute: ([UnsafeMutablePointer<CChar>?]) -> Int32
  ) -> SystemError {
    let words = words.map { strdup($0) } + [nil]
    _ = execute(words)
    let failure = errno
    for word in words { free(word) }
    return SystemError(call, failure)
  }
}
