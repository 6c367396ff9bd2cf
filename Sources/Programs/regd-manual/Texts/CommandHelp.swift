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

  /// The options that more than half of the commands have. The page describes them once.
  private var shared: [OptionRow] {
    let leaves = root.leaves
    return root.leaves.flatMap(\.ownOptions).reduce(into: []) { found, option in
      let count = leaves.count { $0.ownOptions.contains(option) }
      if count * 2 > leaves.count, !found.contains(option) { found.append(option) }
    }
  }

  func sharedOptions() -> String { options(shared) }

  func options(_ rows: [OptionRow]) -> String {
    rows.map { Markdown.definition($0.term, $0.text) }.joined(separator: "\n\n")
  }

  /// A section for each command, with its subcommands as definitions.
  func commands() -> [String] {
    let shared = shared
    return root.subcommands.map { command in
      let head = ["## \(command.path.dropFirst().joined(separator: " "))"]
      if command.subcommands.isEmpty {
        return (head + ["\(command.synopsis(shared: shared))", command.text(shared: shared)]).joined(separator: "\n\n")
      }
      let below = command.subcommands.map {
        Markdown.definition($0.synopsis(shared: shared), $0.text(shared: shared))
      }
      return (head + [Markdown.plain(command.abstract)] + command.discussion + below).joined(separator: "\n\n")
    }
  }
}
