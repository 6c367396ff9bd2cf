/// The tags of LDAP's elements (RFC 4511, appendix B) as liblber returns them: the whole identifier byte.
enum Tag {
  static let boolean: UInt = 0x01
  static let integer: UInt = 0x02
  static let octetString: UInt = 0x04
  static let enumerated: UInt = 0x0A
  static let sequence: UInt = 0x30
  static let set: UInt = 0x31
  static let controls: UInt = 0xA0

  static let bindRequest: UInt = 0x60
  static let bindResponse: UInt = 0x61
  static let simple: UInt = 0x80
  static let unbindRequest: UInt = 0x42
  static let searchRequest: UInt = 0x63
  static let searchResultEntry: UInt = 0x64
  static let searchResultDone: UInt = 0x65
  static let compareRequest: UInt = 0x6E
  static let compareResponse: UInt = 0x6F
  static let abandonRequest: UInt = 0x50
  static let extendedRequest: UInt = 0x77
  static let extendedRequestName: UInt = 0x80
  static let extendedRequestValue: UInt = 0x81
  static let extendedResponse: UInt = 0x78
  static let extendedResponseName: UInt = 0x8A
  static let extendedResponseValue: UInt = 0x8B

  /// The requests that would change something, with their responses: modify, add, delete, modify DN.
  static let changes: [UInt: UInt] = [0x66: 0x67, 0x68: 0x69, 0x4A: 0x6B, 0x6C: 0x6D]
}
