internal import Doors

/// `doors`: further listening points, each with a protocol of its own. A section whose names the operator chooses.
package struct DoorSettings: Equatable, Sendable {
  struct Entry: Equatable, Sendable {
    /// Also the name of a socket that is passed in for it (`FileDescriptorName=`).
    let name: String
    let place: SocketPlace
    let door: any Door

    static func == (one: Entry, other: Entry) -> Bool {
      one.name == other.name && one.place == other.place && one.door.isEqual(to: other.door)
    }
  }

  private(set) var entries: [Entry] = []
  /// Whether regd has any protocol for doors.
  let arePossible: Bool

  init(_ reader: inout SettingsReader) {
    let kinds = reader.doors
    arePossible = !kinds.isEmpty
    guard arePossible else { return }
    for name in reader.names(in: "doors") {
      let section = "doors.\(name)"
      if !(1...32).contains(name.utf8.count) || !name.utf8.allSatisfy(Self.mayBeInName) {
        reader.refuse(section, "must have a name of at most 32 small letters, digits and hyphens")
      }
      let chosen = reader.choice("\(section).protocol", default: "", of: kinds.map { $0.name })
      if chosen.isEmpty {
        reader.refuse("\(section).protocol", "must be one of \(kinds.map { $0.name }.joined(separator: ", "))")
      }
      let place = SocketPlace(&reader, at: section, path: nil, group: "")
      guard let kind = kinds.first(where: { $0.name == chosen }) else { continue }
      entries.append(Entry(name: name, place: place, door: kind.init(&reader, at: section, DoorTerms())))
    }
  }

  private static func mayBeInName(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 || byte &- UInt8(ascii: "a") < 26
  }
}

extension Door {
  func isEqual(to other: any Door) -> Bool { self == other as? Self }
}
