/// The output of `regctl messages`. Problems of a text are in English, as in the output of `regd --check-config`.
package enum CatalogMessageKey: String, MessageKey {
  case error = "regctl.messages.error: {place}: error: {problem}"
  case warning = "regctl.messages.warning: {place}: warning: {problem}"
  case missing =
    "regctl.messages.missing: {file}: warning: {count, plural, one {# key has} other {# keys have}} no text: {keys}"
  case good = "regctl.messages.good: {file}: valid"
  case noLanguage = "regctl.messages.noLanguage: \"{language}\" is not a language tag; use, for example, es or pt-BR"
}

/// Help of `regctl messages`.
package enum MessagesHelp: String, MessageKey {
  case abstract = "help.messages.abstract: Check and print message catalogues; for translators"
  case discussion = """
    help.messages.discussion: \
    This command does not need regd. A catalogue is a file named after its language, such as es.yaml.
    """
  case check = "help.messages.check: Check catalogues, and report errors and possible improvements"
  case checkMore = """
    help.messages.checkMore: \
    The exit status is 1 if any of the catalogues contains an error that prevents regd from starting.
    """
  case files = "help.messages.files: Catalogue files to check"
  case print = "help.messages.print: Print a complete catalogue; missing messages appear as comments, in English"
  case language = "help.messages.language: Language, such as es or pt-BR (default: the built-in English)"
}
