internal import RegdClient
internal import RegdProcesses

/// A regd's own description of its methods (`rpc.discover`).
struct MethodDocument {
  let source: JSONValue

  init(_ source: JSONValue) { self.source = source }

  /// Starts and stops a regd to ask it.
  ///
  /// - Throws: If regd cannot be started, or does not answer.
  init(regd: String, configuration: String) throws {
    source = try TemporaryDirectory.with { directory in
      let socket = "\(directory)/s"
      let process = try RegdProcess(
        program: regd, arguments: ["--config", configuration],
        environment: ["REGD_SOCKET_PATH": socket, "REGD_SOCKET_GROUP": "", "REGD_STORE_BACKEND": "memory"],
        directory: directory)
      defer { process.end() }
      return try RegdClient(path: socket).call("rpc.discover").get()
    }
  }

  var version: String { source["info"]?["version"]?.string ?? "?" }
  var methods: [JSONValue] { source["methods"]?.array ?? [] }

  /// The reasons of all errors.
  var reasons: [String] {
    guard case .object(let errors)? = source["components"]?["errors"] else { return [] }
    return errors.map(\.name)
  }

  /// The schema of a method's result, without a reference.
  func result(of method: JSONValue) -> JSONValue? {
    let schema = method["result"]?["schema"]
    guard let name = schema?["$ref"]?.string?.split(separator: "/").last else { return schema }
    return source["components"]?["schemas"]?[String(name)]
  }
}
