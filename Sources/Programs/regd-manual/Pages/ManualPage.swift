/// A man page: its name, and the articles that it consists of.
struct ManualPage: Equatable {
  let name: String
  let section: Int
  /// The text for whatis(1): a phrase without a full stop.
  let summary: String
  /// Lines of Markdown. A page about a topic has none.
  var synopsis: [String] = []
  /// The names of the articles. The sections of the first one are the page's description.
  var articles: [String] = []
  /// Single sections of other articles, such as `Installing#Files`. They are on this page only.
  var excerpts: [String] = []
  /// References to other projects' pages.
  var seeAlso: [String] = []
  /// The name of the command of regctl that the page describes, or nil for other pages.
  var command: String?

  var file: String { "\(name).\(section)" }
  /// The reference to the page in Markdown.
  var reference: String { "**\(name)**(\(section))" }

  static let daemon = ManualPage(
    name: "regd", section: 8, summary: "the local registration daemon",
    synopsis: [
      "**regd** [**--config** *FILE*] [**--check-config**] [**--KEY** *VALUE*]...",
      "**regd** **--version** | **--help**",
    ],
    articles: ["regd"],
    excerpts: ["Exit status", "Signals", "Environment", "Files", "Examples"].map { "Installing#\($0)" },
    seeAlso: ["systemd.unit(5)", "systemctl(1)", "journalctl(1)", "sd_notify(3)"])
  static let configuration = ManualPage(
    name: "regd.yaml", section: 5, summary: "configuration of the registration daemon",
    synopsis: ["/etc/regd/regd.yaml"], articles: ["Configuration"], seeAlso: ["systemd.exec(5)"])
  static let client = ManualPage(
    name: "regctl", section: 1, summary: "talk to the registration daemon",
    synopsis: ["**regctl** *COMMAND* [*ARGUMENT*]... [*OPTION*]..."], articles: ["Regctl"])
  private static let login = ManualPage(
    name: "regd-login", section: 8, summary: "sign in for PAM and other programs",
    synopsis: [
      "**regd-login** **pam** [*OPTION*]...",
      "**regd-login** **helper** **ejabberd** | **apache** | **squid** [*OPTION*]...",
      "**regd-login** **helper** **checkpassword** [*OPTION*]... *PROGRAM* [*ARGUMENT*]...",
    ],
    excerpts: ["Regctl#Start the login program directly"],
    seeAlso: ["regctl-pam(1)", "regctl-helper(1)", "pam_exec(8)"])
  private static let glossary = ManualPage(
    name: "regd-glossary", section: 7, summary: "words of the registration daemon", excerpts: ["regd#Glossary"])
  private static let documentation = ManualPage(
    name: "regd-documentation", section: 7, summary: "pages about the registration daemon, by task",
    excerpts: ["Tutorial", "How-to guides", "Reference", "Explanation", "For developers"].map { "regd#\($0)" })
  private static let scripts = ManualPage(
    name: "regd-scripts", section: 7, summary: "use regctl in scripts", excerpts: ["Regctl#Scripts"])

  /// The articles that explain one command of regctl.
  private static let articlesOfCommands = ["doctor": ["Doctor"]]

  /// All pages, without those of articles that no page names.
  ///
  /// - Parameters:
  ///   - help: The commands of regctl.
  ///   - title: The title of an article.
  static func all(_ help: CommandHelp, title: (String) -> String) -> [ManualPage] {
    [daemon, configuration, client, login, documentation, glossary, scripts] + topics(title: title)
      + help.root.subcommands.map { page(of: $0, shared: help.shared) }
  }

  private static func page(of command: CommandRow, shared: [OptionRow]) -> ManualPage {
    ManualPage(
      name: "regctl-\(command.name)", section: 1, summary: phrase(command.abstract),
      synopsis: command.leaves.map { $0.synopsis(shared: shared) },
      articles: articlesOfCommands[command.name] ?? [], command: command.name)
  }

  /// A sentence or title as whatis(1) shows it.
  static func phrase(_ text: String) -> String {
    let plain = text.filter { $0 != "`" }
    return plain.hasSuffix(".") ? String(plain.dropLast()) : plain
  }
}
