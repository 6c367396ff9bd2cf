internal import ArgumentParser
internal import Localization
internal import NearestName
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// The methods of a running regd, from its `rpc.discover`.
struct Discovery {
  struct Parameter {
    let name: String
    let summary: String
    let isRequired: Bool
    /// The allowed types, by their names in JSON Schema.
    let types: [String]
  }

  struct Method {
    let source: JSONValue
    let name: String
    let summary: String
    let parameters: [Parameter]
    /// The class of callers that may call the method: `open`, `observe` or `admin`.
    var access: String { source["x-access"]?.string ?? "admin" }
  }

  let methods: [Method]

  /// - Throws: `Refusal` or `RegdClientFailure` if regd does not send the list.
  init(_ connection: ConnectionOptions) throws {
    switch try connection.client().call("rpc.discover") {
    case .success(let document): methods = (document["methods"]?.array ?? []).map(Method.init)
    case .failure(let error): throw Refusal(message: ConnectionOptions.line(of: error), source: error.source)
    }
  }

  /// - Throws: `ValidationError` for an unknown name. It suggests a similar one.
  func method(_ name: String) throws -> Method {
    if let found = methods.first(where: { $0.name == name }) { return found }
    guard let nearest = NearestName.findClose(name, among: methods.map(\.name)) else {
      throw ValidationError(UsageMessageKey.noMethodAtAll, ["method": .text(name)])
    }
    throw ValidationError(UsageMessageKey.noMethod, ["method": .text(name), "nearest": .text(nearest)])
  }
}

extension Discovery.Method {
  init(_ source: JSONValue) {
    self.source = source
    name = source.shown("name")
    summary = source["summary"]?.string ?? ""
    parameters = (source["params"]?.array ?? []).map { parameter in
      let type = parameter["schema"]?["type"]
      return Discovery.Parameter(
        name: parameter.shown("name"), summary: parameter["summary"]?.string ?? "",
        isRequired: parameter["required"]?.bool ?? false,
        types: type?.string.map { [$0] } ?? type?.array?.compactMap(\.string) ?? [])
    }
  }

  /// The method as text: a line with its name and summary, one for each parameter, and one with its errors.
  var description: [String] {
    var lines = ["\(name): \(summary)"]
    if access != "open" {
      lines.append(
        "  \(Speech.text(access == "observe" ? ResultMessageKey.methodForObservers : .methodForAdministrators))")
    }
    for parameter in parameters {
      let line = Speech.text(
        parameter.isRequired ? ResultMessageKey.parameter : .optionalParameter,
        [
          "name": .text(parameter.name), "type": .list(parameter.types.filter { $0 != "null" }, .or),
          "summary": .text(parameter.summary),
        ])
      lines.append("  \(line)")
    }
    let errors = (source["errors"]?.array ?? []).compactMap { $0["message"]?.string }
    if !errors.isEmpty {
      lines.append("  \(Speech.text(ResultMessageKey.methodErrors, ["reasons": .list(errors)]))")
    }
    return lines
  }

  /// Parses `name=value` into a member of the parameter's type.
  func member(_ word: String) throws -> JSONValue.Member {
    guard let equals = word.firstIndex(of: "=") else {
      throw ValidationError(UsageMessageKey.notNameValue, ["word": .text(word)])
    }
    let name = String(word[..<equals])
    let text = String(word[word.index(after: equals)...])
    guard let parameter = parameters.first(where: { $0.name == name }) else {
      throw ValidationError(
        parameters.isEmpty ? UsageMessageKey.noParameterAtAll : .noParameter,
        [
          "method": .text(self.name), "parameter": .text(name), "parameters": .list(parameters.map(\.name)),
        ])
    }
    let isNumber = JSONValue(text.utf8).map { if case .number = $0 { true } else { false } } ?? false
    if parameter.types.contains("string"), !(isNumber && parameter.types.contains("number")) {
      return .init(name, .string(text))
    }
    guard let value = JSONValue(text.utf8) else {
      throw ValidationError(
        UsageMessageKey.parameterType,
        ["parameter": .text(name), "type": .text(parameter.types.first ?? "JSON"), "text": .text(text)])
    }
    return .init(name, value)
  }
}
