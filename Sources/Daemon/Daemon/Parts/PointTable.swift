internal import Doors
internal import Linux
internal import Logging
internal import Methods
internal import Registration
internal import Synchronization
internal import Systemd
internal import UnixSocket
internal import WireProtocols

/// The table of listening points: JSON-RPC in its first row, then the doors that the configuration names.
final class PointTable: Sendable {
  /// A row for a door. Its socket is bound already, but served only once `adopt` has put the row in force.
  struct Row: Sendable {
    let entry: DoorSettings.Entry
    let point: ListeningPoint
  }

  private let first: ListeningPoint
  private let held: HeldSockets
  private let context: @Sendable (DoorSettings.Entry) -> DoorContext
  private let rows = Mutex<[Row]>([])

  init(
    _ first: ListeningPoint, _ held: HeldSockets,
    _ context: @escaping @Sendable (DoorSettings.Entry) -> DoorContext
  ) {
    (self.first, self.held, self.context) = (first, held, context)
  }

  /// Makes the rows for these settings. A door that has not changed keeps its row, and a door whose socket has not
  /// changed keeps the socket.
  ///
  /// - Throws: `StartupFailure` if a socket cannot be bound. Nothing has changed then.
  func prepare(_ settings: DoorSettings) throws(StartupFailure) -> [Row] {
    let running = rows.withLock { $0 }
    var prepared: [Row] = []
    do throws(StartupFailure) {
      for entry in settings.entries {
        let same = running.first { $0.entry.name == entry.name }
        if let same, same.entry == entry {
          prepared.append(same)
        } else {
          let kept = same.flatMap { $0.entry.place.isSame(as: entry.place) ? $0.point.socket : nil }
          let socket = if let kept { kept } else { try open(entry, besides: same) }
          let point = point(for: entry, at: socket)
          prepared.append(Row(entry: entry, point: point))
        }
      }
    } catch {
      discard(prepared)
      throw error
    }
    return prepared
  }

  private func point(for entry: DoorSettings.Entry, at socket: ListeningSocket) -> ListeningPoint {
    let user = DoorUser(entry.name)
    return ListeningPoint(
      entry.name, socket, entry.door.open(context(entry)), admitting: entry.peers,
      peer: socket.isInternet ? { @Sendable _ in user.caller } : nil)
  }

  private func open(_ entry: DoorSettings.Entry, besides running: Row?) throws(StartupFailure) -> ListeningSocket {
    let place = entry.place
    let named = held.passed.filter { $0.name == entry.name }
    guard named.count <= 1 else {
      throw StartupFailure(
        .configuration,
        "\(place.section): \(named.count) sockets with the name \"\(entry.name)\" were passed in, but a door takes only one; "
          + "keep one ListenStream= in the units with FileDescriptorName=\(entry.name)")
    }
    if let passed = named.first {
      let descriptor: Int32
      do throws(SystemError) { descriptor = try Descriptor(borrowing: passed.descriptor).duplicate().release() } catch {
        throw StartupFailure(.operatingSystem, "\(place.section): \(error.text)")
      }
      return try check(ListeningSocket(adopting: descriptor), entry)
    }
    if !place.listen.isEmpty {
      do throws(ListenFailure) { return try ListeningSocket(loopback: place.listen) } catch {
        throw StartupFailure(error, place)
      }
    }
    guard !place.path.isEmpty else {
      throw StartupFailure(.configuration, "\(place.section).path is missing, and no socket of that name was passed in")
    }
    guard running?.entry.place.path != place.path else {
      throw StartupFailure(
        .configuration, "\(place.section): mode and group of \(place.path) cannot change while regd listens there")
    }
    do throws(ListenFailure) {
      return try ListeningSocket(path: place.path, mode: place.mode, group: place.group)
    } catch {
      throw StartupFailure(error, place)
    }
  }

  /// Refuses a TCP socket that was passed in for a door that may not use TCP, or that other machines can reach.
  private func check(
    _ socket: ListeningSocket, _ entry: DoorSettings.Entry
  ) throws(StartupFailure) -> ListeningSocket {
    guard socket.isInternet else { return socket }
    let section = entry.place.section
    let kind = type(of: entry.door)
    if !kind.listensOnLoopback {
      socket.discard()
      throw StartupFailure(
        .configuration, "\(section): \(kind.name) needs a Unix socket, but \(socket.path) was passed in")
    }
    if SocketAddress(loopback: socket.path) == nil || entry.peers != nil {
      socket.discard()
      let reason =
        entry.peers == nil ? "is not a loopback address" : "does not identify callers, but the door has peers"
      throw StartupFailure(.configuration, "\(section): \(socket.path), which was passed in, \(reason)")
    }
    return socket
  }

  /// Closes the sockets of prepared rows that will not be put in force, except those that running rows use.
  func discard(_ prepared: [Row]) {
    let running = rows.withLock { $0 }
    for row in prepared where !running.contains(where: { $0.point.socket.isSame(as: row.point.socket) }) {
      row.point.socket.discard()
    }
  }

  /// Warns of each socket for which these settings have no door.
  func warn(of settings: DoorSettings, _ logger: Logger) { held.warn(of: settings, logger) }

  /// Puts rows in force.
  ///
  /// - Returns: All listening points.
  func adopt(_ prepared: [Row]) -> [ListeningPoint] {
    rows.withLock { $0 = prepared }
    return [first] + prepared.map(\.point)
  }
}

/// The sockets that the service manager passed in for doors. regd keeps all of them open until it ends, because a reload may
/// remove a door and a later one add it again.
struct HeldSockets: Sendable {
  let passed: [PassedSocket]

  /// The sockets for which no door is left: their callers wait in vain.
  func withoutDoor(in settings: DoorSettings) -> [StatusSources.HeldSocket] {
    passed.filter { socket in !settings.entries.contains { $0.name == socket.name } }.map {
      StatusSources.HeldSocket(name: $0.name, address: ListeningSocket(adopting: $0.descriptor).path)
    }
  }

  func warn(of settings: DoorSettings, _ logger: Logger) {
    for socket in withoutDoor(in: settings) {
      logger.write(.socketHeld, nil, ["name": socket.name, "address": socket.address])
    }
  }
}
