internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// The `list` subcommand for one of regd's lists: the method that it calls, and its help.
struct PrintedList: Sendable {
  /// The part of the method's name before `.list`.
  let name: String
  /// The member of a page that contains the elements.
  let member: String
  let abstract: String
  let discussion: String
}

/// A command that has a `list` subcommand.
protocol ListingCommand: ParsableCommand {
  static var list: PrintedList { get }
  /// The cells of an element's line.
  static func cells(_ element: JSONValue) -> [String]
}

/// `regctl … list`: prints one of regd's lists, one element per line.
struct ListCommand<Shown: ListingCommand>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "list", abstract: Shown.list.abstract, discussion: Shown.list.discussion)
  }
  @OptionGroup var part: ListRange
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    let after = part.after.map { JSONValue.string($0) }
    try Pages.forEach(
      try connection.client(), "\(Shown.list.name).list", member: Shown.list.member, after: after, limit: part.limit
    ) { element in
      Terminal.printLine(connection.json ? element.text : Shown.cells(element).joined(separator: "  "))
    }
  }
}

/// The part of a list that a command prints.
struct ListRange: ParsableArguments {
  @Option(help: .said(CommonHelp.after, valueName: "id")) var after: String?
  @Option(help: .said(CommonHelp.limit, valueName: "count")) var limit: Int?
}

/// Lists that regd returns in pages.
enum Pages {
  /// Calls `body` with each element of all pages.
  ///
  /// - Parameters:
  ///   - limit: The most elements to read, or nil for all.
  ///   - filter: Further members of the params.
  static func forEach(
    _ client: RegdClient, _ method: String, member: String, after: JSONValue?, limit: Int? = nil,
    filter: [JSONValue.Member] = [], _ body: (JSONValue) throws -> Void
  ) throws {
    var after = after
    var left = limit ?? .max
    while left > 0 {
      var params: [JSONValue.Member] = [.init("limit", .number("\(min(left, 500))"))] + filter
      if let after { params.append(.init("after", after)) }
      let page = try client.call(method, .object(params)).get()
      let elements = page[member]?.array ?? []
      for element in elements { try body(element) }
      left -= elements.count
      guard let next = page["next"] else { return }
      after = next
    }
  }
}
