internal import Linux

/// The name that a regd claims and leases by: no other regd's, and the same after a restart.
enum InstanceName {
  /// Host name and path of the socket, which an operator may give to two regd in containers of their own; hence the machine's boot,
  /// and the directory that the path leads to. In one directory the socket's lock lets one regd run.
  ///
  /// - Parameter boot: Names the machine's boot.
  static func of(_ socket: String, boot: String = boot) -> String {
    let directory = try? FileStatus(FileSystem.directory(of: socket)).identity
    let place = directory.map { String($0.device, radix: 16) + "-" + String($0.inode, radix: 16) } ?? ""
    return "\(HostName.own):\(socket)#\(boot.prefix(8))-\(place)"
  }

  private static let boot = (try? FileReading.text("/proc/sys/kernel/random/boot_id", atMost: 100)) ?? ""
}
