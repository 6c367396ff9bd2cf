internal import RegdClient
internal import RegdProcesses

/// A program's commands and options, as ArgumentParser describes them.
struct CommandHelp {
  let root: CommandRow

  init(program: String) throws {
    let run = try TemporaryDirectory.with {
      try RegdProcess.run(
        program: program, arguments: ["--experimental-dump-help"], environment: ["LC_ALL": "C.UTF-8"], directory: $0)
    }
    guard run.status == 0, let command = JSONValue(run.output.utf8)?["command"] else {
      throw ManualFailure(description: "\(program) does not tell its options: \(run.output)")
    }
    root = CommandRow(command, path: [])
  }

  /// The discussion without the exit statuses, which an article explains in more detail.
  var discussion: [String] { root.discussion.filter { !$0.hasPrefix("Exit status:") } }

  /// The options that more than half of the commands have.
  var shared: [OptionRow] {
    let leaves = root.leaves
    return root.leaves.flatMap(\.ownOptions).reduce(into: []) { found, option in
      let count = leaves.count { $0.ownOptions.contains(option) }
      if count * 2 > leaves.count, !found.contains(option) { found.append(option) }
    }
  }

  /// - Returns: nil if the program has no such command, or the name is nil.
  func command(_ name: String?) -> CommandRow? { root.subcommands.first { $0.name == name } }

  func options(_ rows: [OptionRow]) -> String {
    rows.map { Markdown.definition($0.term, $0.text) }.joined(separator: "\n\n")
  }

  /// A line for each command, with a reference to its page.
  func commands() -> String {
    root.subcommands.map { command in
      Markdown.definition("**\(root.name)-\(command.name)**(1)", Markdown.plain(command.abstract))
    }.joined(separator: "\n\n")
  }
}
