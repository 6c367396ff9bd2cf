extension ManualPage {
  /// The pages about topics, and the articles of each one.
  private static let topics: [(name: String, section: Int, articles: [String])] = [
    ("regd-administration", 7, ["Administering"]),
    ("regd-alternatives", 7, ["WhenNotRegd"]),
    ("regd-brute-force", 7, ["BruteForce", "Throttling"]),
    ("regd-clients", 7, ["Clients"]),
    ("regd-containers", 7, ["Containers"]),
    ("regd-doors", 5, ["Doors"]),
    ("regd-erasure", 7, ["Erasure"]),
    ("regd-errors", 7, ["Errors"]),
    ("regd-events", 7, ["Events"]),
    ("regd-forms", 7, ["Forms"]),
    ("regd-import", 7, ["MovingIn"]),
    ("regd-install", 7, ["Installing"]),
    ("regd-invitations", 7, ["Invitations", "WhoMayRegister"]),
    ("regd-languages", 7, ["Languages"]),
    ("regd-limits", 7, ["Limits", "Fairness", "Shares"]),
    ("regd-mail", 7, ["Mail", "MailQueue"]),
    ("regd-matrix", 7, ["TheMatrix", "Environments"]),
    ("regd-methods", 7, ["Methods", "MethodReference"]),
    ("regd-monitoring", 7, ["Observing", "Monitoring"]),
    ("regd-postgresql", 7, ["PostgreSQL", "Moving"]),
    ("regd-protocol", 7, ["Wire"]),
    ("regd-registration", 7, ["Registering"]),
    ("regd-scaling", 7, ["Scaling"]),
    ("regd-security", 7, ["ThreatModel", "Keys"]),
    ("regd-sign-in", 7, ["SigningIn"]),
    ("regd-socket", 7, ["Socket"]),
    ("regd-upstream", 7, ["Upstream", "Outbox"]),
    ("regd-upgrade", 7, ["Versions"]),
    ("regd-verification", 7, ["Claims"]),
    ("regd-web", 7, ["WebServer", "WebSite", "FrontEnd"]),
  ]
  /// Sections of other articles that a page about a topic also contains.
  private static let excerpts = ["regd-languages": ["Regctl#Language of regctl"]]
  /// The texts for whatis(1) of pages that the title of their first article does not describe.
  private static let summaries = [
    "regd-containers": "regd and its callers in containers",
    "regd-errors": "errors of the registration daemon",
    "regd-forms": "forms of the registration daemon",
    "regd-limits": "limits, fair sharing and quotas",
    "regd-mail": "mail systems and the mail queue",
    "regd-methods": "methods of the registration daemon, with an example of each",
    "regd-monitoring": "status, metrics, logs, alerts and backups",
    "regd-postgresql": "keep accounts in PostgreSQL, and move them there",
    "regd-protocol": "wire protocol of the registration daemon",
    "regd-security": "threat model, keys and secrets",
    "regd-socket": "socket of the registration daemon",
    "regd-upstream": "upstream and outbox of the registration daemon",
  ]
  /// Other projects' pages about a topic.
  private static let others = [
    "regd-protocol": ["unix(7)", "nc(1)"], "regd-socket": ["unix(7)", "systemd.socket(5)"],
    "regd-containers": ["podman(1)"], "regd-web": ["nginx(8)"],
  ]
  /// The heading in regd.md's list above articles that only readers of a checkout need.
  private static let developers = "For developers"
  /// The article with an entry for each key.
  static let keys = "ConfigurationReference"

  static func topics(title: (String) -> String) -> [ManualPage] {
    topics.map { topic in
      ManualPage(
        name: topic.name, section: topic.section, summary: summaries[topic.name] ?? phrase(title(topic.articles[0])),
        articles: topic.articles,
        excerpts: excerpts[topic.name] ?? [], seeAlso: others[topic.name] ?? [])
    }
  }

  /// The page of an article that no other page names, called after the article: `SetUpNginx` has regd-set-up-nginx(7).
  ///
  /// - Parameter group: The heading above the article in the list of regd.md.
  /// - Returns: nil if the article is for developers of regd, or the one about keys, which regd.yaml(5) describes.
  static func page(of article: String, in group: String, title: (String) -> String) -> ManualPage? {
    if group == developers || article == keys { return nil }
    let words = article.reduce(into: "") { words, letter in
      if letter.isUppercase, words.last?.isLowercase == true { words.append("-") }
      words.append(letter)
    }
    return ManualPage(
      name: "regd-\(words.lowercased())", section: 7, summary: phrase(title(article)), articles: [article])
  }
}
