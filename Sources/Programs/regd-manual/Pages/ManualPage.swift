/// A man page: its name, and the articles that it consists of.
struct ManualPage: Equatable {
  let name: String
  let section: Int
  /// The text for whatis(1): a phrase without a full stop.
  let summary: String
  /// Lines of Markdown.
  let synopsis: [String]
  /// The name of the article whose sections are the page's description.
  let lead: String
  /// References to other projects' pages.
  let seeAlso: [String]

  var file: String { "\(name).\(section)" }
  /// The reference to the page in Markdown.
  var reference: String { "**\(name)**(\(section))" }

  static let daemon = ManualPage(
    name: "regd", section: 8, summary: "the local registration daemon",
    synopsis: [
      "**regd** [**--config** *FILE*] [**--check-config**] [**--KEY** *VALUE*]...",
      "**regd** **--version** | **--help**",
    ],
    lead: "regd", seeAlso: ["systemd.unit(5)", "systemctl(1)", "journalctl(1)", "sd_notify(3)"])
  static let configuration = ManualPage(
    name: "regd.yaml", section: 5, summary: "configuration of the registration daemon",
    synopsis: ["/etc/regd/regd.yaml"], lead: "Configuration", seeAlso: ["systemd.exec(5)"])
  static let client = ManualPage(
    name: "regctl", section: 1, summary: "talk to the registration daemon",
    synopsis: ["**regctl** *COMMAND* [*ARGUMENT*]... [*OPTION*]..."], lead: "Regctl", seeAlso: [])
  static let wire = ManualPage(
    name: "regd-protocol", section: 7, summary: "what programs say to the registration daemon, and what it answers",
    synopsis: [#"`printf '%s' '{"jsonrpc":"2.0","id":1,"method":"rpc.ping"}' | nc -U -N /run/regd/regd.sock`"#],
    lead: "Wire", seeAlso: ["unix(7)", "nc(1)"])
  static let methods = ManualPage(
    name: "regd-methods", section: 7, summary: "methods of the registration daemon, with an example of each",
    synopsis: [
      "**regctl** **call** *METHOD* [*NAME*=*VALUE*]...", "**regctl** **call** *METHOD* **--describe**",
    ],
    lead: "Methods", seeAlso: [])
  static let matrix = ManualPage(
    name: "regd-matrix", section: 7, summary: "what callers of the registration daemon see when something fails",
    synopsis: ["**regctl matrix** [**--regd** *REGD*] [**--filter** *FILTER*] [*DIRECTORY*]"], lead: "TheMatrix",
    seeAlso: [])

  static let all = [daemon, configuration, client, wire, methods, matrix]

  /// The page that contains an article; nil for an article that is on no page, because only readers of a checkout need
  /// it.
  ///
  /// - Parameter group: The heading above the article in the list of regd.md.
  static func page(of article: String, in group: String) -> ManualPage? {
    switch (article, group) {
    case ("regd", _): daemon
    case ("Configuration", _): configuration
    case ("Regctl", _), ("Doctor", _): client
    case ("Methods", _), ("MethodReference", _): methods
    case ("Environments", _), ("TheMatrix", _): matrix
    case (_, "For operators"): daemon
    case (_, "For authors of clients"), (_, "What the answers mean"): wire
    default: nil
    }
  }
}
