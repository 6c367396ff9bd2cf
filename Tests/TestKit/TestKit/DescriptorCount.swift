internal import Glibc

/// How many descriptors a process has open (proc(5)).
package enum DescriptorCount {
  package static func of(_ pid: Int32) throws -> Int {
    guard let directory = opendir("/proc/\(pid)/fd") else {
      throw RawCaller.Failure(reason: "/proc does not say which descriptors the process \(pid) has")
    }
    defer { closedir(directory) }
    var count = -2  // . and ..
    while readdir(directory) != nil { count += 1 }
    return count
  }

  /// Waits until this process has at most `most` descriptors, but no longer than tests wait for a process.
  ///
  /// - Returns: The number of descriptors then.
  package static func ofThisProcess(atMost most: Int = .max) async throws -> Int {
    let patience = ContinuousClock.now + .seconds(Patience.seconds)
    var count = try of(getpid())
    while count > most, .now < patience {
      await Task.yield()
      count = try of(getpid())
    }
    return count
  }
}
