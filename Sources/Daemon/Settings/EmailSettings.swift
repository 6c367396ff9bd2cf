/// `email`: which addresses are taken.
package struct EmailSettings: Equatable, Sendable {
  package var maximumLength: Int
  package var internationalized: Bool
  package var blockedDomains: [String]

  init(_ reader: inout SettingsReader) {
    maximumLength = reader.integer("email.maximumLength", default: 254, 6...254)
    internationalized = reader.flag("email.internationalized", default: true)
    blockedDomains = reader.list("email.blockedDomains", default: [])
  }
}
