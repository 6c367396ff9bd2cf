import RegdProcesses

/// The lines that a shell command writes.
package func lines(of command: String) throws -> [String] {
  try TemporaryDirectory.with { directory in
    let program = try Program.start(["sh", "-c", command], in: directory)
    let text = program.read()
    program.wait()
    return text.split(separator: "\n").map(String.init)
  }
}

/// The command lines that contain a word, of the processes that run now.
package func processes(with word: String) throws -> [String] {
  try lines(of: "for file in /proc/[0-9]*/cmdline; do tr '\\0' ' ' <$file; echo; done 2>/dev/null").filter {
    $0.contains(word)
  }
}
