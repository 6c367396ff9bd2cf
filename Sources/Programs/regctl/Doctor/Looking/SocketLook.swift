internal import Linux
internal import Localization

/// Examines regd's socket and its lock file.
enum SocketLook {
  /// - Returns: The facts, and the process that made the socket, which is nil if no connection was accepted.
  static func look(at path: String) -> (facts: SocketFacts, pid: Int32?) {
    var facts = SocketFacts(path: path, file: file(path), lock: lock("\(path).lock"))
    do throws(SystemError) {
      let socket = try Descriptor.socket(.localStream)
      socket.setSendTimeout(seconds: 5)
      try socket.connect(to: SocketAddress(path: path))
      facts.connection = .accepted
      return (facts, try? socket.peerCredentials().pid)
    } catch {
      facts.connection =
        switch error.number {
        case SystemError.connectionRefused: .refused
        case SystemError.permissionDenied: .denied
        case SystemError.wouldBlock: .failed(.sentence(LocalizedMessage(DoctorSocketMessageKey.backlog)))
        default: .failed(.text(error.text))
        }
      return (facts, nil)
    }
  }

  static func file(_ path: String) -> SocketFacts.File {
    do throws(SystemError) {
      let status = try FileStatus(path)
      switch status.kind {
      case .socket: return .socket(owner: status.owner, group: status.group, permissions: status.permissions)
      case .regular: return .other(.regularFile)
      case .directory: return .other(.directory)
      case .pipe: return .other(.namedPipe)
      case .link: return .other(.link)
      case .device: return .other(.device)
      }
    } catch {
      return error.number == SystemError.permissionDenied
        ? .hidden(directory: FileSystem.directory(of: path)) : .missing
    }
  }

  private static func lock(_ path: String) -> SocketFacts.Lock? {
    guard let status = try? FileStatus(path, followsLink: false) else { return nil }
    var lock = SocketFacts.Lock(
      isRegular: status.kind == .regular, links: status.links, owner: status.owner,
      directoryOwner: (try? FileStatus(FileSystem.directory(of: path)))?.owner ?? status.owner)
    guard lock.isRegular, let file = try? Descriptor.open(path, [.reading, .withoutWaiting, .withoutLink]),
      let bytes = try? file.read(atMost: 16)
    else { return lock }
    let content = String(decoding: bytes, as: UTF8.self)
    lock.content = content
    lock.holderRuns = Int32(content.prefix { $0 != "\n" }).map { FileSystem.exists("/proc/\($0)") }
    return lock
  }
}
