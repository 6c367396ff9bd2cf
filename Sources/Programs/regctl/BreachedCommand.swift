internal import AddressNormalization
internal import ArgumentParser
internal import BreachedPasswords
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import Registration
internal import UserMessages

struct BreachedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "breached",
    abstract: .said(BreachedHelp.abstract),
    discussion: .said(BreachedHelp.discussion),
    subcommands: [Build.self, Check.self, Info.self])

  static let usualList = "/var/lib/regd/breached.regd"

  struct Build: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "build",
      abstract: .said(BreachedHelp.build),
      discussion: .said(BreachedHelp.buildMore))

    @Argument(help: .said(BreachedHelp.hashes)) var file: String
    @Option(help: .said(BreachedHelp.output, valueName: "file")) var output = BreachedCommand.usualList
    @Option(help: .said(BreachedHelp.falsePositives, valueName: "share"))
    var falsePositives = 0.001
    @Option(help: .said(BreachedHelp.minCount, valueName: "count")) var minCount: UInt64 = 1
    @Option(help: .said(BreachedHelp.entries, valueName: "count")) var entries: Int?
    @Flag(help: .said(CommonHelp.jsonResult)) var json = false

    func run() throws {
      let input = try Terminal.openInput(file)
      var options = BreachedListBuilder.Options(createdAt: BreachedCommand.now)
      options.falsePositiveRate = falsePositives
      options.minimumCount = minCount
      options.entries = entries
      var bar = ProgressBar(of: .lines)
      do throws(BreachedBuildFailure) {
        let summary = try BreachedListBuilder.build(from: input.number, to: output, options) { progress in
          if progress.isWriting { return bar.show(ProgressMessageKey.writing) }
          bar.show(progress.fraction, count: progress.linesRead)
        }
        bar.finish(count: summary.lines)
        report(summary, options)
      } catch {
        let lines = [error.sentence] + error.problems.map(\.sentence)
        throw Refusal(message: lines.map(Speech.text).joined(separator: "\n  "))
      }
    }

    private func report(_ summary: BreachedListBuilder.Summary, _ options: BreachedListBuilder.Options) {
      for problem in summary.problems {
        Terminal.report(BreachedMessageKey.passedOver, ["problem": .sentence(problem.sentence)])
      }
      if summary.skipped > summary.problems.count {
        Terminal.report(
          BreachedMessageKey.passedOverMore, ["count": .number(summary.skipped - summary.problems.count)])
      }
      if summary.falsePositiveRate > options.falsePositiveRate, summary.entries > summary.plannedEntries {
        Terminal.report(
          BreachedMessageKey.tooManyEntries,
          ["entries": .number(summary.entries), "planned": .number(summary.plannedEntries)])
      }
      guard !json else {
        return BreachedCommand.printJSON([
          ("entries", "\(summary.entries)"), ("bytes", "\(summary.byteCount)"), ("leftOut", "\(summary.leftOut)"),
          ("passedOver", "\(summary.skipped)"), ("falsePositiveRate", "\(summary.falsePositiveRate)"),
        ])
      }
      BreachedCommand.say(
        .built,
        ["list": .text(output), "entries": .number(summary.entries), "bytes": .number(summary.byteCount)])
      if summary.leftOut > 0 { BreachedCommand.say(.leftOut, ["count": .number(summary.leftOut)]) }
      BreachedCommand.say(.falsePositives, ["rate": BreachedCommand.oneIn(summary.falsePositiveRate)])
    }
  }

  struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check", abstract: .said(BreachedHelp.check))

    @OptionGroup var password: PasswordOptions
    @Option(help: .said(BreachedHelp.list, valueName: "file")) var list = BreachedCommand.usualList
    @Flag(help: .said(CommonHelp.jsonResult)) var json = false

    func run() throws {
      // opened first, so that the user does not type a password in vain
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
        throw Refusal(BreachedMessageKey.isThere, ["rate": BreachedCommand.oneIn(list.falsePositiveRate)])
      }
      BreachedCommand.say(.isNotThere)
    }
  }

  struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "info", abstract: .said(BreachedHelp.info))

    @Argument(help: .said(BreachedHelp.list, valueName: "file")) var path = BreachedCommand.usualList
    @Flag(help: .said(BreachedHelp.verify)) var verify = false
    @Flag(help: .said(CommonHelp.jsonResult)) var json = false

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
        throw Refusal(BreachedMessageKey.damaged, ["list": .text(path)])
      }
      if !json { BreachedCommand.say(.verified) }
    }

    private func show(_ list: BreachedList) {
      BreachedCommand.say(.entries, ["count": .number(list.entries)])
      BreachedCommand.say(.falsePositives, ["rate": BreachedCommand.oneIn(list.falsePositiveRate)])
      BreachedCommand.say(.bytes, ["count": .number(list.byteCount)])
      BreachedCommand.say(.builtAt, ["time": .text(list.createdAt.rfc3339)])
    }
  }

  private static func map(_ path: String) throws -> BreachedList {
    do throws(BreachedListFailure) {
      return try BreachedList(path: path)
    } catch {
      throw Refusal(message: Speech.text(error.sentence))
    }
  }

  /// Prints a JSON object, whose values are JSON already.
  fileprivate static func printJSON(_ members: [(name: String, value: String)]) {
    Terminal.print("{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}")
  }

  /// A rate as text: "one in 1000 passwords that are not in the list (0.001)".
  private static func oneIn(_ rate: Double) -> LocalizedMessage.Content {
    // the rate of an almost empty list may be 0
    guard rate > 1e-15 else { return .sentence(LocalizedMessage(BreachedMessageKey.lessThanOne)) }
    return .sentence(
      LocalizedMessage(BreachedMessageKey.oneIn, ["count": .number(Int((1 / rate).rounded())), "rate": "\(rate)"]))
  }

  private static func say(_ key: BreachedMessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]) {
    Terminal.print(Speech.text(key, values))
  }

  private static var now: Timestamp { Timestamp(microseconds: WallClock.microseconds) }
}
