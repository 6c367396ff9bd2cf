internal import ArgumentParser
internal import Linux
internal import RegdProcesses

/// `regd-manual`: makes the man pages, and the reference of methods and keys, from the articles, the shipped
/// configuration, and the built programs' descriptions of themselves. Also makes the PAM module's table of reasons. Runs
/// at build time only (`make man`, `make reference`), and no package contains it.
@main
struct Manual: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "regd-manual", abstract: "Make the man pages of regd",
    discussion: "Needs lowdown(1), and regd and regctl in the directory of this program.")

  @Flag(
    help: """
      Write the articles MethodReference.md and ConfigurationReference.md and the header reasons.h of the checkout, and no man pages
      """)
  var reference = false
  @Option(help: ArgumentHelp("Directory of the checkout", valueName: "directory")) var checkout = "."
  @Argument(help: ArgumentHelp("Directory for the pages, created if it does not exist", valueName: "directory"))
  var output = ".build/man"

  func run() throws {
    if reference { try writeReference() } else { try writePages() }
  }

  private func writePages() throws {
    let texts = try Texts(checkout: checkout)
    let pages = try texts.pages.map { page in (page, try PageWriter(page, texts).markdown()) }
    if !FileSystem.exists(output) { try FileSystem.makeDirectory(output) }
    for (page, markdown) in pages {
      let text = try Roff.text(of: markdown, page, version: texts.version)
      try FileWriting.write(text, to: "\(output)/\(page.file)")
    }
  }

  private func writeReference() throws {
    let document = try MethodDocument(
      regd: "\(ProgramDirectory.own)/regd", configuration: "\(checkout)/Config/regd.yaml")
    try FileWriting.write(try MethodReference(document).markdown(), to: "\(checkout)/\(MethodReference.path)")
    let keys = ConfigurationReference(
      yaml: try FileReading.text("\(checkout)/Config/regd.yaml"),
      article: try FileReading.text("\(checkout)/\(ConfigurationReference.reloads)"))
    try FileWriting.write(keys.markdown(), to: "\(checkout)/\(ConfigurationReference.path)")
    try FileWriting.write(PamReasons.header(), to: "\(checkout)/\(PamReasons.path)")
  }
}

/// Why the pages cannot be made.
struct ManualFailure: Error, Equatable, CustomStringConvertible {
  let description: String
}
