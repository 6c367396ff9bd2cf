internal import Linux
package import Registration

/// `mail.backend: file`: writes each mail into a directory, for tests. Its key is `mail.file.directory`.
package struct FileMailBackend: MailBackend {
  package static let name = "file"

  /// Without a slash at the end.
  private let directory: String

  package init(_ keys: inout some ConfigurationKeys, isChosen: Bool) {
    let key = "mail.file.directory"
    let typed = keys.pathText(key, default: "")
    directory = String(typed.reversed().drop { $0 == "/" }.reversed())
    if typed.isEmpty {
      if isChosen { keys.refuse(key, "is missing; mail.backend file needs it, for example /var/lib/regd/mails") }
    } else if !typed.hasPrefix("/") {
      keys.refuse(key, "must be the absolute path of a directory, not \"\(typed)\"")
    } else if typed.utf8.count + FileMail.longestName >= FileSystem.longestPath {
      keys.refuse(
        key, "is too long for a path; the maximum is \(FileSystem.longestPath - FileMail.longestName - 1) bytes")
    }
  }

  package var absences: [(key: String, message: String)] {
    FileMail.problem(of: directory).map { [("mail.file.directory", "\($0); emails wait until it is a directory")] }
      ?? []
  }

  package func open(_ context: MailContext) throws(NetworkOpeningFailure) -> OpenMail {
    let files = try FileMail(directory, warn: context.warn)
    for (key, message) in absences { context.warn("\(key): \(message)") }
    return OpenMail(files) { files.stop() }
  }
}
