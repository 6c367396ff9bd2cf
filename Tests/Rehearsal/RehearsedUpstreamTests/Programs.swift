import RehearsedUpstream
import TestKit
import Testing

/// Asks for an address's availability as curl(1) does.
func curl(
  _ server: UpstreamServer, _ directory: String, _ options: [String] = []
) throws -> (status: Int32, output: String) {
  let words = options.map { "'\($0)'" }.joined(separator: " ")
  let caFile = try #require(server.caFile)
  let output = try lines(
    of: "curl --silent --noproxy '*' --cacert '\(caFile)' \(words) '\(server.baseURL)/emails/a%40b.cd/availability'"
      + "; echo \" $?\"")
  let text = output.joined(separator: "\n")
  let space = try #require(text.lastIndex(of: " "))
  return (Int32(text[text.index(after: space)...]) ?? -1, String(text[..<space]))
}
