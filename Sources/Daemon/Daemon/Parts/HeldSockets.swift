internal import Logging
internal import Methods
internal import Systemd
internal import UnixSocket

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
