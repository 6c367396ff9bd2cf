package import ArgumentParser
package import RegdClient
package import Sentences
internal import UserMessages

extension ArgumentHelp {
  /// - Parameter valueName: The placeholder of the value in the help.
  package static func said(_ key: some SentenceKey, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(Speech.text(key), valueName: valueName)
  }
}

extension ValidationError {
  package init(_ key: some SentenceKey, _ values: KeyValuePairs<String, Sentence.Content> = [:]) {
    self.init(Speech.text(key, values))
  }
}

extension Refusal {
  package init(
    _ key: some SentenceKey, _ values: KeyValuePairs<String, Sentence.Content> = [:], source: JSONValue? = nil
  ) {
    self.init(message: Speech.text(key, values), source: source)
  }
}
