internal import Linux

/// Files that a service manager passes (`$CREDENTIALS_DIRECTORY`, systemd.exec(5)), named by key: the file
/// `network-http-bearerToken` contains the value of `network.http.bearerToken`.
///
/// Opens only the files of known keys, because the unit's other programs may have credentials of any size there.
struct Credentials: Sendable {
  struct Unusable: Error, Equatable {
    let message: String
  }

  private let directory: String

  /// The most bytes of one credential. systemd limits all credentials together to 1 MiB.
  static let mostBytes = 65_536

  init(directory: String) throws(ConfigurationError) {
    do throws(SystemError) { _ = try FileSystem.names(in: directory) } catch {
      let message = "\(directory) cannot be read: \(error.text)"
      throw ConfigurationError(problems: [.init(place: "CREDENTIALS_DIRECTORY", key: nil, message: message)])
    }
    self.directory = directory
  }

  /// Reads the credential of a key. Returns nil if the key has none.
  func read(_ key: String) -> (name: String, content: Result<String, Unusable>)? {
    let name = key.split(separator: ".").joined(separator: "-")
    do throws(FileReading.Failure) {
      let text = try FileReading.text("\(directory)/\(name)", atMost: Self.mostBytes)
      let trimmed = text.withoutByteOrderMark.trimmingWhiteSpace
      guard !trimmed.isEmpty else { return (name, .failure(Unusable(message: "the credential is empty"))) }
      return (name, .success(trimmed))
    } catch {
      guard !error.isNotFound else { return nil }
      return (name, .failure(Unusable(message: "the credential \(error)")))
    }
  }
}

extension String {
  /// The text without the mark that Windows programs write first.
  fileprivate var withoutByteOrderMark: String {
    utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? String(self[utf8.index(utf8.startIndex, offsetBy: 3)...]) : self
  }

  fileprivate var trimmingWhiteSpace: String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = utf8.firstIndex(where: { !isSpace($0) }), let last = utf8.lastIndex(where: { !isSpace($0) })
    else { return "" }
    return String(self[first...last])
  }
}
