internal import ArgumentParser
internal import Localization
internal import RegctlCommandLine
internal import UserMessages

/// Asks a person to confirm a change that cannot be undone.
struct Consent: ParsableArguments {
  @Flag(help: .said(CommonHelp.yes)) var yes = false

  /// - Parameter values: For the placeholders of both messages.
  /// - Throws: `Refusal` unless the command line has --yes, or the person types yes.
  func demand(
    _ question: PromptMessageKey, orSay refusal: PromptMessageKey,
    _ values: KeyValuePairs<String, LocalizedMessage.Content>
  ) throws {
    guard yes || Terminal.ask(question, values) == "yes" else { throw Refusal(refusal, values) }
  }
}
