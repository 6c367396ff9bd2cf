internal import ArgumentParser
internal import Linux
internal import RegdProcesses

/// `regd-manual`: makes the man pages from the articles, the shipped configuration, and the built programs' descriptions of
/// themselves. Runs at build time only (`make man`); no package contains it.
@main
struct Manual: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regd-manual", abstract: "Makes regd's man pages.",
    discussion: "Needs lowdown(1), and regd and regctl beside this program.")

  @Option(help: "The checkout.") var checkout = "."
  @Argument(help: "The directory for the pages; made where there is none.") var output: String

  func run() throws {
    let texts = try Texts(checkout: checkout)
    let pages = try texts.pages.map { page in (page, try PageWriter(page, texts).markdown()) }
    if !FileSystem.exists(output) { try FileSystem.makeDirectory(output) }
    for (page, markdown) in pages {
      let text = try Roff.text(of: markdown, page, version: texts.version)
      try FileWriting.write(text, to: "\(output)/\(page.file)")
    }
  }
}

/// Why the pages cannot be made.
struct ManualFailure: Error, Equatable, CustomStringConvertible {
  let description: String
}
