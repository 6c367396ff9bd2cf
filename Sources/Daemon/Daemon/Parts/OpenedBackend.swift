internal import Linux
internal import Registration

/// An opened backend with its settings and files. A reload keeps the backend if neither settings nor files have
/// changed.
final class OpenedBackend<Port: Sendable>: Sendable {
  let port: Port
  private let backend: any Backend
  /// The status of the files that the settings name, because a replaced file, such as a certificate, must be read
  /// again.
  private let files: [FileStatus?]

  private init(_ backend: any Backend, _ open: () throws(NetworkOpeningFailure) -> Port) throws(StartupFailure) {
    self.backend = backend
    files = Self.files(of: backend)
    do throws(NetworkOpeningFailure) { port = try open() } catch { throw StartupFailure(error) }
  }

  /// Opens a backend, or returns `running` if its settings and files are the same.
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
