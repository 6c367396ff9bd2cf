internal import RegdClient
internal import RegdProcesses

/// The methods in a running regd's own description (rpc.discover).
struct MethodHelp {
  private let methods: [JSONValue]
  let version: String

  /// - Throws: If regd cannot be started, or does not answer.
  init(regd: String, configuration: String) throws {
    let document = try TemporaryDirectory.with { directory in
      let socket = "\(directory)/s"
      let process = try RegdProcess(
        program: regd, arguments: ["--config", configuration],
        environment: ["REGD_SOCKET_PATH": socket, "REGD_SOCKET_GROUP": "", "REGD_STORE_BACKEND": "memory"],
        directory: directory)
      defer { process.end() }
      return try RegdClient(path: socket).call("rpc.discover").get()
    }
    methods = document["methods"]?.array ?? []
    version = document["info"]?["version"]?.string ?? "?"
  }

  /// The rows of an article's table of methods, each with regd's description of the method and its params.
  ///
  /// - Throws: If regd lacks a method of the table.
  func definitions(_ table: MarkdownTable) throws -> String {
    try table.rows.map { row in
      let name = String(row[0].filter { $0 != "`" })
      guard let method = methods.first(where: { $0["name"]?.string == name }) else {
        throw ManualFailure(description: "regd has no method \(name), which Methods.md describes")
      }
      return Markdown.definition(
        row[0], ([summary(method)] + params(method) + rest(table, row)).joined(separator: "\n\n"))
    }.joined(separator: "\n\n")
  }

  private func summary(_ method: JSONValue) -> String {
    Markdown.plain(method["summary"]?.string ?? "")
      + (["admin": " For administrators.", "observe": " For observers and administrators."][
        method["x-access"]?.string ?? ""] ?? "")
  }

  private func params(_ method: JSONValue) -> [String] {
    let lines = (method["params"]?.array ?? []).map { parameter in
      let type = parameter["schema"]?["type"]
      let types = (type?.string.map { [$0] } ?? type?.array?.compactMap(\.string) ?? []).filter { $0 != "null" }
      let kind = types.isEmpty ? "any value" : types.joined(separator: " or ")
      let need = parameter["required"]?.bool == true ? "" : ", optional"
      return
        "- `\(parameter["name"]?.string ?? "?")` (\(kind)\(need)): \(Markdown.plain(parameter["summary"]?.string ?? ""))"
    }
    return lines.isEmpty ? [] : [lines.joined(separator: "\n")]
  }

  private func rest(_ table: MarkdownTable, _ row: [String]) -> [String] {
    let cells = zip(table.columns, row).dropFirst().filter { $0.0 != "params" && $0.1 != "–" }
    let lines = cells.map { "*\($0.0)*: \($0.1)" }
    return lines.isEmpty ? [] : [lines.joined(separator: "\\\n")]
  }
}
