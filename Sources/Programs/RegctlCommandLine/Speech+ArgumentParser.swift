package import ArgumentParser
package import Localization
package import RegdClient
internal import UserMessages

extension ArgumentHelp {
  /// - Parameter valueName: The placeholder of the value in the help.
  package static func said(_ key: some MessageKey, valueName: String? = nil) -> ArgumentHelp {
    ArgumentHelp(Speech.text(key), valueName: valueName)
  }
}

extension ValidationError {
  package init(_ key: some MessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:]) {
    self.init(Speech.text(key, values))
  }
}

extension Refusal {
  package init(
    _ key: some MessageKey, _ values: KeyValuePairs<String, LocalizedMessage.Content> = [:], source: JSONValue? = nil
  ) {
    self.init(message: Speech.text(key, values), source: source)
  }
}
