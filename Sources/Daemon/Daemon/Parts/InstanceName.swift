internal import Linux

/// The name by which regd marks claims and leases in a store that several regd processes may share: unique, and the
/// same after a restart of regd, but not of the machine.
enum InstanceName {
  /// Returns the host name and the socket's path, followed by the machine's boot id and the identity of the socket's
  /// directory, because two regd processes in different containers may have the same host name and path. Within one
  /// directory, the socket's lock admits only one regd.
  ///
  /// - Parameter boot: The id of the machine's boot.
  static func of(_ socket: String, boot: String = boot) -> String {
    let directory = try? FileStatus(FileSystem.directory(of: socket)).identity
    let place = directory.map { String($0.device, radix: 16) + "-" + String($0.inode, radix: 16) } ?? ""
    return "\(HostName.own):\(socket)#\(boot.prefix(8))-\(place)"
  }

  private static let boot = (try? FileReading.text("/proc/sys/kernel/random/boot_id", atMost: 100)) ?? ""
}
