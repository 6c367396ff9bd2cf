/// The output of `regctl messages`. Problems of a text are in English, as in the output of `regd --check-config`.
package enum MessagesSentence: String, SentenceKey {
  package static let area = "regctl.messages"

  case error = "{place}: error: {problem}"
  case warning = "{place}: warning: {problem}"
  case missing = "{file}: warning: {count, plural, one {# key has} other {# keys have}} no text: {keys}"
  case good = "{file}: good"
  case noLanguage = "{language} is not a name of a language; right is, for example, es or pt-BR."
}

/// Help of `regctl messages`.
package enum MessagesHelp: String, SentenceKey {
  package static let area = "help.messages"

  case abstract = "Helps translators: checks catalogues of sentences, and prints them."
  case discussion = "Needs no regd. A catalogue is a file that is named by its language, as es.yaml."
  case check = "Says what is wrong with catalogues, and what a translator may want to change."
  case checkMore = "Exit status 1 where regd would not start with one."
  case files = "The catalogues."
  case print = "Prints a whole catalogue; what has no text yet is a comment in English."
  case language = "The language, as es or pt-BR; without it English as it is compiled in."
}
