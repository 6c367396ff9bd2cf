internal import JSONRPC
internal import Localization
internal import Registration
internal import WireProtocols

/// `groups` and `group`: names of groups of accounts.
enum GroupParameters {
  // not a component of the document, because some generators of clients make no type of a component that is a string
  static let schema = Schema.string(
    "1 to 32 lower-case letters, digits, \".\", \"_\" or \"-\"; the first is a letter or digit.")

  static func optional(_ summary: StaticString) -> Parameter {
    Parameter("groups", .array, required: false, summary, .strings)
  }

  static func required(_ summary: StaticString) -> Parameter {
    Parameter("groups", .array, required: true, summary, .strings)
  }

  /// Reads 1 to `Groups.most` names. Returns no names if the parameter is absent, or if it is optional and an empty
  /// array.
  static func read(_ view: JSONView?, orNone mayBeEmpty: Bool = true) throws(RPCError) -> [GroupName] {
    guard let view else { return [] }
    var names: [GroupName] = []
    var count = 0
    view.forEachElement { element in
      count += 1
      if count <= Groups.most, let name = element.string.flatMap({ GroupName($0) }) { names.append(name) }
    }
    guard names.count == count, mayBeEmpty || count > 0 else {
      throw .invalidParams(
        LocalizedMessage(ParameterMessageKey.groups, ["limit": .number(Groups.most)]), field: "groups")
    }
    return names
  }

  static func groups(_ view: JSONView?) throws(RPCError) -> Groups { Groups(try read(view)) ?? .none }

  static let group = Parameter("group", .string, required: false, "Lists only the members of this group.")

  static func read(group view: JSONView?) throws(RPCError) -> GroupName? {
    guard let text = view?.string else { return nil }
    guard let name = GroupName(text) else {
      throw .invalidParams(LocalizedMessage(ParameterMessageKey.group, ["name": "group"]), field: "group")
    }
    return name
  }
}

extension GroupName: ListPosition {
  static let after = Parameter(
    "after", .string, required: false, "The value of \"next\" from the previous page; omit it for the first page.")
  static let wrong = ParameterMessageKey.pageAfterGroup
}

/// `group.list`: lists the groups that have members, page by page.
enum GroupListMethod {
  private static let element = Schema.named(
    "Group",
    .object(
      .init("name", GroupParameters.schema),
      .init("members", .integer("How many accounts are in the group, in every state."))))

  static func make(_ administrator: Administrator, _ info: Reloadable<ServerInfo>) -> Method {
    Listing(
      name: "group.list", about: "Lists groups in the order of their names, one page at a time.", access: .observe,
      member: "groups", element: element, info: info, page: administrator.groups, position: \.name
    ) { group, _, writer in
      writer.object { writer in
        writer.member("name", group.name.description)
        writer.member("members", group.members)
      }
    }.method
  }
}
