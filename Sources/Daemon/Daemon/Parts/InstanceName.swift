internal import Linux

/// The name under which a regd claims and leases: unique, and the same after a restart.
enum InstanceName {
  /// Returns the host name and the socket's path, followed by the machine's boot id and the identity of the socket's directory,
  /// because an operator may give the same name and path to two regd in different containers. In one directory, the socket's
  /// lock admits one regd.
  ///
  /// - Parameter boot: The id of the machine's boot.
  static func of(_ socket: String, boot: String = boot) -> String {
    let directory = try? FileStatus(FileSystem.directory(of: socket)).identity
    let place = directory.map { String($0.device, radix: 16) + "-" + String($0.inode, radix: 16) } ?? ""
    return "\(HostName.own):\(socket)#\(boot.prefix(8))-\(place)"
  }

  private static let boot = (try? FileReading.text("/proc/sys/kernel/random/boot_id", atMost: 100)) ?? ""
}
