internal import AddressNormalization
internal import Doors
internal import Registration
internal import WireProtocols

/// `doors`: listening points besides regd's own socket, each with a protocol. The operator chooses their names.
package struct DoorSettings: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    /// The section's name. A socket that the service manager passes in for the door has the same name
    /// (`FileDescriptorName=`).
    let name: String
    let place: SocketPlace
    /// The users who may connect, in addition to root. Nil means every caller that the socket's mode lets in. The value
    /// is empty if none of the named users and groups exists on this machine. Then only root may connect.
    let peers: AccessRules.Members?
    let terms: DoorTerms
    let door: any Door

    static func == (one: Entry, other: Entry) -> Bool {
      one.name == other.name && one.place == other.place && one.peers == other.peers && one.terms == other.terms
        && one.door.isEqual(to: other.door)
    }
  }

  private(set) var entries: [Entry] = []

  /// No doors.
  package init() {}

  init(_ reader: inout SettingsReader) {
    let kinds = reader.table.doors
    for name in reader.names(in: "doors") {
      let section = "doors.\(name)"
      if !(1...32).contains(name.utf8.count) || !name.utf8.allSatisfy(Self.mayBeInName) {
        reader.refuse(section, "must have a name of at most 32 lowercase letters, digits and hyphens")
      }
      let chosen = reader.choice("\(section).protocol", default: "", of: kinds.map { $0.name })
      // a protocol that is given, but wrong, was already refused
      if chosen.isEmpty, !reader.has("\(section).protocol") {
        reader.refuse("\(section).protocol", "must be one of \(kinds.map { $0.name }.joined(separator: ", "))")
      }
      let place = SocketPlace(&reader, at: section, path: nil, group: "", isDoor: true)
      let peers = reader.members("\(section).peers")
      let terms = DoorTerms(&reader, at: section)
      guard let kind = kinds.first(where: { $0.name == chosen }) else { continue }
      if !place.listen.isEmpty {
        Self.check(place, kind, hasPeers: peers != nil, &reader)
        if let other = entries.first(where: { $0.place.listen == place.listen })?.place.section {
          reader.refuse("\(section).listen", "must be a different address: \(other) also listens at \(place.listen)")
        }
      }
      if !terms.groups.isEmpty, !kind.signsIn {
        reader.refuse("\(section).groups", "must be empty, because users do not sign in at a \(kind.name) door")
      }
      let door = kind.init(&reader, at: section, terms)
      if !place.listen.isEmpty, door.trustsPeers {
        reader.refuse(
          "\(section).trusted",
          "cannot be combined with \(section).listen, because TCP does not identify the calling user")
      }
      entries.append(Entry(name: name, place: place, peers: peers, terms: terms, door: door))
    }
  }

  private static func check(
    _ place: SocketPlace, _ kind: any Door.Type, hasPeers: Bool, _ reader: inout SettingsReader
  ) {
    if !kind.listensOnLoopback {
      let others = reader.table.doors.filter { $0.listensOnLoopback }.map { $0.name }.joined(separator: " and ")
      reader.refuse(
        "\(place.section).listen", "is for \(others) alone; \(kind.name) needs a Unix socket: \(place.section).path")
    }
    if hasPeers {
      reader.refuse(
        "\(place.section).peers",
        "cannot be combined with \(place.section).listen, because TCP does not identify the calling user")
    }
  }

  private static func mayBeInName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 26
  }

  /// Refuses doors that the rest of the configuration makes impossible.
  func check(against settings: Settings, _ reader: inout SettingsReader) {
    for entry in entries {
      let section = entry.place.section
      if entry.door.tellsAddresses, settings.registration.conceal, entry.peers == nil {
        reader.refuse(
          "\(section).peers",
          "must name who may connect while registration.conceal is true, because this door reveals which addresses have accounts"
        )
      }
      if entry.door.memory > .zero, settings.signIn.authority != .store {
        reader.refuse(
          "\(section).memorySeconds",
          "must be 0 while signIn.authority is network, because only the upstream knows when a password changes")
      }
    }
  }
}

extension DoorTerms {
  fileprivate init(_ reader: inout SettingsReader, at section: String) {
    self.init()
    domain = reader.string("\(section).domain", default: "")
    if !domain.isEmpty { check(domain, "\(section).domain", &reader) }
    for name in reader.list("\(section).domains", default: []) {
      if let ascii = check(name, "\(section).domains", &reader) { domains.insert(ascii) }
    }
    for name in reader.list("\(section).groups", default: []) {
      guard let group = GroupName(name) else {
        reader.refuse(
          "\(section).groups",
          "must be group names of 1 to 32 lower-case letters, digits, \".\", \"_\" or \"-\", not \"\(name)\"")
        continue
      }
      groups.append(group)
    }
    answerSeconds = reader.integer("\(section).answerSeconds", default: answerSeconds, 1...60)
  }

  /// Refuses text that is not a domain with a dot. Returns the domain as lower-case A-labels, or nil if the text is not
  /// a domain.
  @discardableResult
  private func check(_ domain: String, _ key: String, _ reader: inout SettingsReader) -> String? {
    let ascii = DomainName.ascii(domain, UnicodeNormalizer())
    if ascii == nil || !domain.contains(".") {
      reader.refuse(key, "must be a domain with a dot, such as example.org, not \"\(domain)\"")
    }
    return ascii
  }
}

extension SettingsReader: DoorKeys {
  mutating func members(_ section: String) -> AccessRules.Members? { members(section, groups: []) }
}

extension Door {
  func isEqual(to other: any Door) -> Bool { self == other as? Self }
}
