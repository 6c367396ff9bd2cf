/// Questions to a person on the terminal, and what regctl tells meanwhile.
package enum PromptSentence: String, SentenceKey {
  case password = "regctl.prompt.password: Password: "
  case passwordAgain = "regctl.prompt.passwordAgain: Password again: "
  case newPassword = "regctl.prompt.newPassword: New password: "
  case newPasswordAgain = "regctl.prompt.newPasswordAgain: New password again: "
  case code = "regctl.prompt.code: Code (an empty line has it mailed again): "
  /// The answer to type stays the English word, because programs type it too.
  case delete = "regctl.prompt.delete: Delete {account} for good? Type yes: "
  case deleteOwn = "regctl.prompt.deleteOwn: Delete the account of {email} for good? Type yes: "
  case discardMail = "regctl.prompt.discardMail: Give up the mail {id}? Type yes: "
  case discardRegistration =
    "regctl.prompt.discardRegistration: Give up the registration {id}? The network may have it. Type yes: "
  case refuse = "regctl.prompt.refuse: Refuse {account}, and remove it for good? Type yes: "
  case notDeleted = "regctl.prompt.notDeleted: {account} was not deleted; --yes does it without asking"
  case stillWaits = "regctl.prompt.stillWaits: {id} was not discarded; use --yes to discard it without the question"
  case notRefused = "regctl.prompt.notRefused: {account} was not refused; --yes does it without asking"
  case codeOnItsWay = "regctl.prompt.codeOnItsWay: A code is on its way to {email}."
  case codeIfAccount = "regctl.prompt.codeIfAccount: If {email} has an account, a code is on its way to it."
  case goesOnLater = "regctl.prompt.goesOnLater: `{command}` continues later, until {time}."
  case codeAgain = "regctl.prompt.codeAgain: The code is on its way again."
  case notUTF8 = "regctl.prompt.notUTF8: The typed text is not UTF-8."
  case noTerminalForCode =
    "regctl.prompt.noTerminalForCode: there is no terminal to ask for the code; {command} takes it"
  case noCode = "regctl.prompt.noCode: no code was typed; {command} takes it"
}
