internal import ArgumentParser
internal import DoorHelpers
internal import Linux
internal import Sentences
internal import Verdicts

/// `regctl helper`: the helpers that other programs start to sign their users in.
struct HelperCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "helper", abstract: .said(DoorHelp.helper),
    subcommands: [Ejabberd.self, Apache.self, Squid.self, Checkpassword.self])

  struct Ejabberd: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "ejabberd", abstract: .said(DoorHelp.ejabberd), discussion: .said(DoorHelp.ejabberdMore))

    @OptionGroup var helper: HelperOptions

    func run() throws { try HelperCommand.serve(EjabberdDialogue(domain: helper.domain), helper) }
  }

  struct Squid: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "squid", abstract: .said(DoorHelp.squid), discussion: .said(DoorHelp.squidMore))

    @OptionGroup var groups: RequiredGroups
    @OptionGroup var helper: HelperOptions

    func run() throws {
      try HelperCommand.serve(SquidDialogue(domain: helper.domain, groups: groups.group), helper)
    }
  }

  struct Apache: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "apache", abstract: .said(DoorHelp.apache), discussion: .said(DoorHelp.apacheMore))

    @OptionGroup var groups: RequiredGroups
    @OptionGroup var helper: HelperOptions

    func run() throws {
      let input = HandedInput.read(.standardInput, atMost: HandedEntry.longest, seconds: helper.seconds)
      let entry = input.flatMap(HandedEntry.apache)
      let verdict = helper.answer(
        to: entry, origin: ThisProcess.variable("IP"), groups: groups.group
      ).verdict
      ThisProcess.exit(PAMCommand.status(of: verdict, wanted: .right))
    }
  }

  /// Answers the program's questions until it closes standard input.
  private static func serve(_ dialogue: some HelperDialogue, _ helper: HelperOptions) throws {
    var dialogue = dialogue
    do throws(SystemError) {
      try HelperSession.run(
        &dialogue, helper.link(telling: false), input: .standardInput, output: .standardOutput)
    } catch {
      throw Refusal(message: error.description)
    }
  }
}
