/// A part of the method reference: the methods whose names begin with the same words.
struct MethodArea {
  let title: String
  /// The part of its methods' names before the dot or the slash.
  let prefixes: [String]
  /// The articles that explain the area.
  let articles: [String]

  /// All areas, in the order of the reference.
  static let all = [
    MethodArea(title: "Connection", prefixes: ["rpc", "$"], articles: ["Methods", "Wire"]),
    MethodArea(title: "Registration", prefixes: ["registration"], articles: ["Methods", "Registering"]),
    MethodArea(title: "Sign-in and sessions", prefixes: ["session"], articles: ["Methods", "SigningIn"]),
    MethodArea(title: "Forms", prefixes: ["form"], articles: ["Forms"]),
    MethodArea(title: "Email verification and recovery", prefixes: ["claim", "recovery"], articles: ["Claims"]),
    MethodArea(title: "Rights of the account's owner", prefixes: ["owner"], articles: ["Claims"]),
    MethodArea(
      title: "Administration of accounts and groups", prefixes: ["account", "group"],
      articles: ["Methods", "Administering", "Groups"]),
    MethodArea(
      title: "Administration of invitations", prefixes: ["invitation"], articles: ["Methods", "WhoMayRegister"]),
    MethodArea(title: "Outbox", prefixes: ["outbox"], articles: ["Outbox"]),
    MethodArea(title: "Mail queue", prefixes: ["mail"], articles: ["MailQueue"]),
    MethodArea(title: "Events and audit", prefixes: ["events", "audit"], articles: ["Events"]),
    MethodArea(
      title: "Status, configuration and write pauses", prefixes: ["daemon"],
      articles: ["Observing", "Configuration", "Moving"]),
  ]

  /// The heading and the links.
  var head: String {
    let links = articles.map { "<doc:\($0)>" }
    let rest = links.dropLast().joined(separator: ", ")
    return "## \(title)\n\nSee also \(rest.isEmpty ? "" : "\(rest) and ")\(links.last ?? "")."
  }

  func contains(_ method: String) -> Bool {
    prefixes.contains { method.hasPrefix("\($0).") || method.hasPrefix("\($0)/") }
  }
}
