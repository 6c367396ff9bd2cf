/// The output of `regctl messages`. Problems of a text are in English, as in the output of `regd --check-config`.
package enum MessagesSentence: String, SentenceKey {
  case error = "regctl.messages.error: {place}: error: {problem}"
  case warning = "regctl.messages.warning: {place}: warning: {problem}"
  case missing =
    "regctl.messages.missing: {file}: warning: {count, plural, one {# key has} other {# keys have}} no text: {keys}"
  case good = "regctl.messages.good: {file}: valid"
  case noLanguage = "regctl.messages.noLanguage: \"{language}\" is not a language name; use, for example, es or pt-BR."
}

/// Help of `regctl messages`.
package enum MessagesHelp: String, SentenceKey {
  case abstract = "help.messages.abstract: Helps translators: checks catalogues of sentences, and prints them."
  case discussion =
    "help.messages.discussion: Needs no regd. A catalogue is a file that is named by its language, as es.yaml."
  case check = "help.messages.check: Says what is wrong with catalogues, and what a translator may want to change."
  case checkMore = "help.messages.checkMore: Exit status 1 where regd would not start with one."
  case files = "help.messages.files: The catalogues."
  case print = "help.messages.print: Prints a whole catalogue; what has no text yet is a comment in English."
  case language = "help.messages.language: The language, as es or pt-BR; without it English as it is compiled in."
}
