internal import AddressNormalization
internal import ArgumentParser
internal import BreachedPasswords
internal import Linux
internal import Registration

struct BreachedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "breached",
    abstract: "Builds and asks the list of passwords that leaks have made public (password.breached).",
    discussion: "Needs no regd, and no network: the list is a file.",
    subcommands: [Build.self, Check.self, Info.self])

  static let usualList = "/var/lib/regd/breached.regd"

  struct Build: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes a list from published SHA-1 hashes, a line each: HEX or HEX:COUNT, in any order.",
      discussion: "A regd that has the list open keeps the old one until it opens it again.")

    @Argument(help: "The hashes; - is standard input.") var file: String
    @Option(help: "The list to make, or to replace.") var output = BreachedCommand.usualList
    @Option(help: "The share of other passwords that may be refused by mistake, 0.000001 to 0.1.")
    var falsePositives = 0.001
    @Option(help: "Leave out what was seen less often.") var minCount: UInt64 = 1
    @Option(help: "How many hashes to plan for; needed where they come through a pipe.") var entries: Int?
    @Flag(help: "Print the result as JSON.") var json = false

    func run() throws {
      let input = try Terminal.openInput(file)
      var options = BreachedListBuilder.Options(createdAt: BreachedCommand.now)
      options.falsePositiveRate = falsePositives
      options.minimumCount = minCount
      options.entries = entries
      var bar = ProgressBar(unit: "lines")
      do throws(BreachedBuildFailure) {
        let summary = try BreachedListBuilder.build(from: input.number, to: output, options) { progress in
          if progress.isWriting { return bar.show("writing to the disk") }
          bar.show(progress.fraction, count: progress.linesRead)
        }
        bar.finish(count: summary.lines)
        report(summary, options)
      } catch {
        throw Refusal(message: "\(error)")
      }
    }

    private func report(_ summary: BreachedListBuilder.Summary, _ options: BreachedListBuilder.Options) {
      for problem in summary.problems { Terminal.report("passed over \(problem)") }
      if summary.skipped > summary.problems.count {
        Terminal.report("passed over \(summary.skipped - summary.problems.count) more")
      }
      if summary.falsePositiveRate > options.falsePositiveRate, summary.entries > summary.plannedEntries {
        Terminal.report(
          """
          warning: there are \(summary.entries) entries, more than the \(summary.plannedEntries) planned for, so the \
          false-positive rate is worse than was asked for; --entries \(summary.entries) makes it right
          """)
      }
      guard !json else {
        return BreachedCommand.printJSON([
          ("entries", "\(summary.entries)"), ("bytes", "\(summary.byteCount)"), ("leftOut", "\(summary.leftOut)"),
          ("passedOver", "\(summary.skipped)"), ("falsePositiveRate", "\(summary.falsePositiveRate)"),
        ])
      }
      print("\(output): \(summary.entries) entries, \(summary.byteCount) bytes")
      if summary.leftOut > 0 { print("left out: \(summary.leftOut) below the least count") }
      print("false positives: \(BreachedCommand.oneIn(summary.falsePositiveRate))")
    }
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Says whether the list has a password; exit status 1 if it has.")

    @OptionGroup var password: PasswordOptions
    @Option(help: "The list.") var list = BreachedCommand.usualList
    @Flag(help: "Print the result as JSON.") var json = false

    func run() throws {
      // before the user types a password in vain
      let list = try BreachedCommand.map(list)
      var text = try password.read(confirm: false).password
      let composed = text.withUTF8 { UnicodeNormalizer().composed(UnsafeRawBufferPointer($0)) }
      let isThere = list.contains(Password(utf8: composed))
      if json {
        BreachedCommand.printJSON([("breached", "\(isThere)")])
        if isThere { throw Refusal(message: nil) }
        return
      }
      guard !isThere else {
        throw Refusal(
          message: """
            the list has this password, or takes it for one that it has, which happens to \
            \(BreachedCommand.oneIn(list.falsePositiveRate))
            """)
      }
      print("The list does not have this password.")
    }
  }

  struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Says what a list has, and whether it is damaged.")

    @Argument(help: "The list.") var path = BreachedCommand.usualList
    @Flag(help: "Read all of it, and tell damage; exit status 1 if there is any.") var verify = false
    @Flag(help: "Print the result as JSON.") var json = false

    func run() throws {
      let list = try BreachedCommand.map(path)
      if json {
        BreachedCommand.printJSON([
          ("entries", "\(list.entries)"), ("falsePositiveRate", "\(list.falsePositiveRate)"),
          ("bytes", "\(list.byteCount)"), ("createdAt", "\"\(list.createdAt.rfc3339)\""),
        ])
      } else {
        show(list)
      }
      guard verify else { return }
      guard list.measuredFalsePositiveRate() == list.falsePositiveRate else {
        throw Refusal(
          message: "\(path) is damaged: its bits do not give the rate that its header states; build it again")
      }
      if !json { print("verified: its bits give the rate that its header states") }
    }

    private func show(_ list: BreachedList) {
      print("entries: \(list.entries)")
      print("false positives: \(BreachedCommand.oneIn(list.falsePositiveRate))")
      print("bytes: \(list.byteCount)")
      print("built: \(list.createdAt.rfc3339)")
    }
  }

  private static func map(_ path: String) throws -> BreachedList {
    do throws(BreachedListFailure) {
      return try BreachedList(path: path)
    } catch {
      throw Refusal(message: "\(error)")
    }
  }

  /// Prints an object whose members' values are JSON already.
  fileprivate static func printJSON(_ members: [(name: String, value: String)]) {
    print("{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}")
  }

  /// A rate as text: "one other password in 1000 (0.001)".
  private static func oneIn(_ rate: Double) -> String {
    // the rate of an almost empty list may be 0
    guard rate > 1e-15 else { return "less than one other password in 10^15" }
    return "one other password in \(Int((1 / rate).rounded())) (\(rate))"
  }

  private static var now: Timestamp { Timestamp(microseconds: WallClock.microseconds) }
}
