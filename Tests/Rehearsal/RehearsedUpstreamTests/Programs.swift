import RegdProcesses
import RehearsedUpstream
import TestKit
import Testing

/// Asks for an address's availability as curl(1) does.
func curl(
  _ server: UpstreamServer, _ directory: String, _ options: [String] = []
) throws -> (status: Int32, output: String) {
  let words = options.map { "'\($0)'" }.joined(separator: " ")
  let caFile = try #require(server.caFile)
  let lines = try output(
    of: "curl --silent --noproxy '*' --cacert '\(caFile)' \(words) '\(server.baseURL)/emails/a%40b.cd/availability'"
      + "; echo \" $?\"")
  let text = lines.joined(separator: "\n")
  let space = try #require(text.lastIndex(of: " "))
  return (Int32(text[text.index(after: space)...]) ?? -1, String(text[..<space]))
}

/// The command lines of living processes in which a word occurs.
func processes(with word: String) throws -> [String] {
  try output(of: "for file in /proc/[0-9]*/cmdline; do tr '\\0' ' ' <$file; echo; done 2>/dev/null").filter {
    $0.contains(word)
  }
}

/// The lines that a shell command writes.
private func output(of command: String) throws -> [String] {
  try TemporaryDirectory.with { directory in
    let program = try Program.start(["sh", "-c", command], in: directory)
    let text = program.read()
    program.wait()
    return text.split(separator: "\n").map(String.init)
  }
}
