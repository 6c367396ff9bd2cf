internal import ArgumentParser
internal import NearestName
internal import RegdClient

/// Methods of a running regd, from its `rpc.discover`.
struct Discovery {
  struct Parameter {
    let name: String
    let summary: String
    let isRequired: Bool
    /// Allowed types, by their names in JSON Schema.
    let types: [String]
  }

  struct Method {
    let source: JSONValue
    let name: String
    let summary: String
    let parameters: [Parameter]
    var isForAdministrators: Bool { source["x-access"]?.string != "open" }
  }

  let methods: [Method]

  /// - Throws: `Refusal` or `RegdClientFailure` where regd does not answer the list.
  init(_ connection: ConnectionOptions) throws {
    switch try RegdClient(path: connection.path, timeoutSeconds: connection.timeout).call("rpc.discover") {
    case .success(let document): methods = (document["methods"]?.array ?? []).map(Method.init)
    case .failure(let error): throw Refusal(message: "\(error.message) (\(error.reason))", source: error.source)
    }
  }

  /// - Throws: `ValidationError` for an unknown name, which suggests the most similar one.
  func method(_ name: String) throws -> Method {
    if let found = methods.first(where: { $0.name == name }) { return found }
    let nearest = NearestName.find(name, among: methods.map(\.name)) ?? "none"
    throw ValidationError("There is no method \(name); the nearest that there is: \(nearest)")
  }
}

extension Discovery.Method {
  init(_ source: JSONValue) {
    self.source = source
    name = source["name"]?.string ?? "?"
    summary = source["summary"]?.string ?? ""
    parameters = (source["params"]?.array ?? []).map { parameter in
      let type = parameter["schema"]?["type"]
      return Discovery.Parameter(
        name: parameter["name"]?.string ?? "?", summary: parameter["summary"]?.string ?? "",
        isRequired: parameter["required"]?.bool ?? false,
        types: type?.string.map { [$0] } ?? type?.array?.compactMap(\.string) ?? [])
    }
  }

  /// The methods as text, one a line.
  var description: [String] {
    var lines = ["\(name): \(summary)"]
    if isForAdministrators { lines.append("  for administrators") }
    for parameter in parameters {
      let kind = parameter.types.filter { $0 != "null" }.joined(separator: " or ")
      lines.append("  \(parameter.name): \(kind)\(parameter.isRequired ? "" : ", optional"). \(parameter.summary)")
    }
    let errors = (source["errors"]?.array ?? []).compactMap { $0["message"]?.string }
    if !errors.isEmpty { lines.append("  may be refused for: \(errors.joined(separator: ", "))") }
    return lines
  }

  /// Parses `name=value` into a member of the parameter's type.
  func member(_ word: String) throws -> JSONValue.Member {
    guard let equals = word.firstIndex(of: "=") else {
      throw ValidationError("\(word) is neither name=value nor a JSON object or array.")
    }
    let name = String(word[..<equals])
    let text = String(word[word.index(after: equals)...])
    guard let parameter = parameters.first(where: { $0.name == name }) else {
      let known = parameters.isEmpty ? "it takes none" : "it takes \(parameters.map(\.name).joined(separator: ", "))"
      throw ValidationError("\(self.name) has no parameter \(name); \(known)")
    }
    let isNumber = JSONValue(text.utf8).map { if case .number = $0 { true } else { false } } ?? false
    if parameter.types.contains("string"), !(isNumber && parameter.types.contains("number")) {
      return .init(name, .string(text))
    }
    guard let value = JSONValue(text.utf8) else {
      throw ValidationError("\(name) must be \(parameter.types.first ?? "JSON"), and \(text) is not even JSON.")
    }
    return .init(name, value)
  }
}
