/// The components of the `rpc.discover` document. Every object schema becomes a component with a name, so that client
/// generators make a type of it.
///
/// An object without a name of its own is named after its method, or after the object and the member that contain it.
package struct NamedSchemas: Sendable {
  package struct Component: Sendable {
    package let name: String
    /// The schema of the component, in which all objects are `named`.
    package let schema: Schema
  }

  /// The components. Each comes after all those to which it refers.
  package private(set) var components: [Component] = []
  private var names: Set<String> = []

  package init() {}

  /// The schema with a component in place of each object.
  ///
  /// - Parameter name: The name of an object that has none.
  package mutating func adopt(_ schema: Schema, as name: String) -> Schema {
    switch schema {
    case .string, .integer, .number, .boolean, .choice, .anyObject: return schema
    case .array(let element, let text): return .array(adopt(element, as: Self.singular(name)), text)
    case .nullable(let inner): return .nullable(adopt(inner, as: name))
    case .oneOf(let choices, let text): return .oneOf(choices.map { adopt($0, as: name) }, text)
    case .named(let own, let inner): return add(inner, as: own)
    case .object(let members, _): return members.isEmpty ? schema : add(schema, as: name)
    }
  }

  private mutating func add(_ schema: Schema, as name: String) -> Schema {
    // an object with the same name has equal members, as a test checks
    if names.insert(name).inserted {
      var schema = schema
      if case .object(let members, let text) = schema {
        schema = .object(
          members.map { member in
            Schema.Member(
              member.name, adopt(member.schema, as: name + Self.capitalised("\(member.name)")),
              required: member.isRequired)
          }, text)
      } else {
        schema = adopt(schema, as: name)
      }
      components.append(Component(name: name, schema: schema))
    }
    return .named(name, schema)
  }

  /// The name of a method or a member as the name of a type: `session.signIn` is `SessionSignIn`.
  package static func capitalised(_ name: String) -> String {
    name.split(whereSeparator: { !$0.isLetter && !$0.isNumber })
      .map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  private static func singular(_ name: String) -> String { name.hasSuffix("s") ? String(name.dropLast()) : name }
}
