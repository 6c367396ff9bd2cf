/// Questions to a person on the terminal, and what regctl tells meanwhile.
package enum PromptMessageKey: String, MessageKey {
  case password = "regctl.prompt.password: Password: "
  case passwordAgain = "regctl.prompt.passwordAgain: Password again: "
  case newPassword = "regctl.prompt.newPassword: New password: "
  case newPasswordAgain = "regctl.prompt.newPasswordAgain: New password again: "
  case code = "regctl.prompt.code: Code (leave empty to get another email): "
  /// The answer to type is the English word in every language, because programs type it too.
  case delete = "regctl.prompt.delete: Delete {account} permanently? Type yes to confirm: "
  case deleteOwn = "regctl.prompt.deleteOwn: Delete the account of {email} permanently? Type yes to confirm: "
  case discardMail = "regctl.prompt.discardMail: Discard the email {id}? Type yes to confirm: "
  case discardRegistration = """
    regctl.prompt.discardRegistration: \
    Discard the registration {id}? The upstream may already have this registration. Type yes to confirm:\u{20}
    """
  case refuse = "regctl.prompt.refuse: Refuse {account} and delete it permanently? Type yes to confirm: "
  case notDeleted = "regctl.prompt.notDeleted: {account} was not deleted; use --yes to skip the confirmation"
  case stillWaits = "regctl.prompt.stillWaits: {id} was not discarded; use --yes to skip the confirmation"
  case notRefused = "regctl.prompt.notRefused: {account} was not refused; use --yes to skip the confirmation"
  case codeOnItsWay = "regctl.prompt.codeOnItsWay: A code is on its way to {email}."
  case codeIfAccount = "regctl.prompt.codeIfAccount: If {email} has an account, a code is on its way to this address."
  case goesOnLater = "regctl.prompt.goesOnLater: To continue later, run `{command}` before {time}."
  case codeAgain = "regctl.prompt.codeAgain: The code is being sent again."
  case notUTF8 = "regctl.prompt.notUTF8: The input is not UTF-8."
  case noTerminalForCode =
    "regctl.prompt.noTerminalForCode: there is no terminal on which to ask for the code; pass the code to `{command}`"
  case noCode = "regctl.prompt.noCode: no code was entered; pass the code to `{command}`"
}
