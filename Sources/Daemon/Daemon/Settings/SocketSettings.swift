/// `socket`: where callers connect.
package struct SocketSettings: Equatable, Sendable {
  package var place: SocketPlace
  /// The number of event loops. 0 means a number derived from the processors that regd may use.
  package var loops: Int

  /// How many event loops run. By default half of the processors, from 1 to 4: hashing needs processors too, and one
  /// loop serves thousands of callers.
  var loopCount: Int { loops == 0 ? max(1, min(4, machine.processors / 2)) : loops }

  private let machine: Machine

  package var path: String { place.path }

  init(_ reader: inout SettingsReader, on machine: Machine = .here) {
    self.machine = machine
    place = SocketPlace(&reader, at: "socket", path: "/run/regd/regd.sock", group: "regd")
    loops = reader.integer("socket.loops", default: 0, 0...64)
  }
}
