internal import AddressNormalization
internal import Linux
internal import Registration

extension SettingsReader {
  /// Reads the file of blocked domains that the settings name, and notes its problems.
  mutating func blockedDomains(_ settings: EmailSettings) -> DomainList {
    let (path, key) = (settings.blockedDomainsFile, EmailSettings.fileKey)
    // no file is configured, or its path is not absolute and was already refused
    guard path.hasPrefix("/") else { return DomainList() }
    var reader = DomainListReader(normalizer: UnicodeNormalizer())
    do throws(SystemError) {
      // opens without waiting and requires a regular file, because reading a pipe could block the start or a reload
      let file = try Descriptor.open(path, [.reading, .withoutWaiting, .withoutTerminal])
      guard try file.status().kind == .regular else {
        refuse(key, "\(path) is a directory, a device or a pipe, but must be a regular file")
        return DomainList()
      }
      while reader.problems.count < EmailSettings.mostProblems {
        let chunk = try file.read(atMost: Self.chunk)
        if chunk.isEmpty { break }
        chunk.withUnsafeBytes { reader.take($0) }
      }
    } catch {
      refuse(key, "\(path) cannot be read: \(error.text)")
      return DomainList()
    }
    let (list, problems) = reader.finish()
    for problem in problems.prefix(EmailSettings.mostProblems) {
      let message = problem.text.map { EmailSettings.problem($0) ?? "\"\($0)\" is not a domain" } ?? "is not UTF-8"
      refuse(ConfigurationProblem(place: "\(path):\(problem.line)", key: key, message: message))
    }
    return list
  }

  private static let chunk = 65_536
}
