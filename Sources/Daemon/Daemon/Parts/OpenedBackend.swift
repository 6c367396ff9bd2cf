internal import Linux
internal import Registration

/// A backend that was opened, with its settings: a reload keeps it while these are the same.
final class OpenedBackend<Port: Sendable>: Sendable {
  let port: Port
  private let backend: any Backend
  /// The status of the files that the settings name: a replaced certificate must be read again.
  private let files: [FileStatus?]

  private init(_ backend: any Backend, _ open: () throws(NetworkOpeningFailure) -> Port) throws(StartupFailure) {
    self.backend = backend
    files = Self.files(of: backend)
    do throws(NetworkOpeningFailure) { port = try open() } catch { throw StartupFailure(error) }
  }

  /// Opens a backend, unless that would give the same port as `running`, which is kept then.
  static func open(
    _ backend: any Backend, after running: OpenedBackend?, _ open: () throws(NetworkOpeningFailure) -> Port
  ) throws(StartupFailure) -> OpenedBackend {
    if let running, areEqual([running.backend], [backend]), running.files == files(of: backend) { return running }
    return try OpenedBackend(backend, open)
  }

  private static func files(of backend: any Backend) -> [FileStatus?] {
    backend.files.map { try? FileStatus($0.path) }
  }
}
