internal import AsyncPrimitives
internal import Linux
internal import MailComposition
internal import Registration
internal import Synchronization
internal import WorkerThreads

/// Writes each mail into a separate file, `ID.eml`, readable by regd's user only. The file appears complete or not at
/// all. A repeated mail replaces it.
final class FileMail: MailService {
  private let directory: String
  private let warn: @Sendable (String) -> Void
  private let thread: WorkerThreads
  private let isStopped = Mutex(false)

  /// The most bytes that a file adds to the directory's path: a slash and a temporary file's name.
  static let longestName = 64

  init(_ directory: String, warn: @escaping @Sendable (String) -> Void) throws(NetworkOpeningFailure) {
    self.directory = directory
    self.warn = warn
    do {
      thread = try WorkerThreads(name: "regd-mail", count: 1)
    } catch {
      throw .operatingSystem("no thread for files of mails: \(SystemError.text(error.errorNumber))")
    }
  }

  /// Why the directory cannot be used now, or nil if it can.
  static func problem(of directory: String) -> String? {
    do throws(SystemError) {
      let status = try FileStatus(directory + "/")
      return status.kind == .directory ? nil : "\(directory) is not a directory"
    } catch { return "\(directory): \(error.text)" }
  }

  func send(_ mail: Mail) async throws(MailFailure) {
    let bytes = try MailText(mail).bytes(.system)
    let name = "\(mail.id).eml"
    let written = Promise<MailFailure?>()
    isStopped.withLock { isStopped in
      guard !isStopped else { return written.fulfill(.cancelled) }
      thread.submit { [self] in written.fulfill(failure(of: { () throws(SystemError) in try write(bytes, name) })) }
    }
    if let failure = await written.value(onCancel: { written.fulfill(.cancelled) }) { throw failure }
  }

  private func failure(of writing: () throws(SystemError) -> Void) -> MailFailure? {
    do throws(SystemError) {
      try writing()
      return nil
    } catch {
      // names the directory only, not the file, whose name is the mail's id
      let words = "\(directory): \(error.text)"
      warn("mail.file.directory: \(words)")
      // an obstacle at this one path, such as a link, does not affect other mails
      return error.number == SystemError.link || error.number == SystemError.isDirectory
        ? .deferred(words) : .unusable(words)
    }
  }

  private func write(_ bytes: [UInt8], _ name: String) throws(SystemError) {
    let (path, temporary) = ("\(directory)/\(name)", "\(directory)/.\(name).new")
    let file = try Descriptor.open(
      temporary, [.writing, .creating, .truncating, .withoutLink], permissions: 0o600)
    try file.setPermissions(0o600)
    try file.writeAll(bytes)
    try file.synchronize()
    try file.close()
    try FileSystem.rename(temporary, to: path)
    FileSystem.synchronizeDirectory(of: path)
  }

  /// Refuses later mails, and waits until those being written are done.
  func stop() {
    isStopped.withLock { $0 = true }
    thread.stop()
  }
}
