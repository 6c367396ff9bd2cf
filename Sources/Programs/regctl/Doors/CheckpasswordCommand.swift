internal import AddressNormalization
internal import ArgumentParser
internal import DoorHelpers
internal import Linux
internal import Registration
internal import Sentences
internal import Verdicts

extension HelperCommand {
  /// `regctl helper checkpassword`: the interface that Dovecot, qmail and others have for programs that check passwords.
  struct Checkpassword: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "checkpassword", abstract: .said(DoorHelp.checkpassword),
      discussion: .said(DoorHelp.checkpasswordMore))

    @OptionGroup var helper: HelperOptions
    @Argument(parsing: .captureForPassthrough, help: .said(DoorHelp.program, valueName: "program")) var words: [String]

    /// The program without the `--` that may precede it.
    private var program: ArraySlice<String> { words.first == "--" ? words.dropFirst() : words[...] }

    func validate() throws {
      guard !program.isEmpty else { throw ValidationError(UsageSentence.noProgram) }
    }

    func run() throws { ThisProcess.exit(status()) }

    /// Becomes the program if the password is right. Returns only the exit statuses 1 (wrong) and 111 (no decision),
    /// because Dovecot takes some others for a wrong password.
    private func status() -> Int32 {
      let input = HandedInput.read(
        Descriptor(borrowing: 3), atMost: HandedEntry.longestCheckpassword, seconds: helper.seconds)
      let answer = helper.answer(
        to: input.flatMap(HandedEntry.checkpassword), origin: ThisProcess.variable("TCPREMOTEIP"))
      switch answer.verdict {
      case .right: return begin(answer)
      case .wrong, .refused: return 1
      case .away: return 111
      }
    }

    /// Becomes the program. Returns an exit status only if the program cannot be started.
    private func begin(_ answer: HelperAnswer) -> Int32 {
      guard let name = answer.name ?? Self.name(answer.email ?? "") else { return 111 }
      // the program must not find the password at descriptor 3
      try? Descriptor(borrowing: 3).close()
      let path = program.first ?? ""
      do throws(SystemError) {
        try ThisProcess.become(path, Array(program.dropFirst()), setting: ["USER": name])
      } catch {
        Terminal.report(FailureSentence.cannotOpen, ["file": .text(path), "reason": .text(error.text)])
        return 111
      }
    }

    /// The address in the form by which accounts are compared, so that one mailbox has one name. regd has accepted the address,
    /// so rules for new addresses do not matter.
    static func name(_ email: String) -> String? {
      try? EmailRules(normalizer: UnicodeNormalizer()).addressOfAccount(email).get().key.value
    }
  }
}
