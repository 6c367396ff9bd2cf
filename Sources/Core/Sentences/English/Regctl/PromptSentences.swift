/// Questions to a person on the terminal, and what regctl tells meanwhile.
package enum PromptSentence: String, SentenceKey {
  package static let area = "regctl.prompt"

  case password = "Password: "
  case passwordAgain = "Password again: "
  case newPassword = "New password: "
  case newPasswordAgain = "New password again: "
  case code = "Code (an empty line has it mailed again): "
  /// The answer to type stays the English word, because programs type it too.
  case delete = "Delete {account} for good? Type yes: "
  case deleteOwn = "Delete the account of {email} for good? Type yes: "
  case discardMail = "Give up the mail {id}? Type yes: "
  case discardRegistration = "Give up the registration {id}? The network may have it. Type yes: "
  case refuse = "Refuse {account}, and remove it for good? Type yes: "
  case notDeleted = "{account} was not deleted; --yes does it without asking"
  case stillWaits = "{id} still waits; --yes gives it up without asking"
  case notRefused = "{account} was not refused; --yes does it without asking"
  case codeOnItsWay = "A code is on its way to {email}."
  case codeIfAccount = "If {email} has an account, a code is on its way to it."
  case goesOnLater = "`{command}` continues later, until {time}."
  case codeAgain = "The code is on its way again."
  case notUTF8 = "The typed text is not UTF-8."
  case noTerminalForCode = "there is no terminal to ask for the code; {command} takes it"
  case noCode = "no code was typed; {command} takes it"
}
