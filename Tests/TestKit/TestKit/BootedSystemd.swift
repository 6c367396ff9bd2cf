import Glibc
import RegdProcesses
import WorkerThreads

/// A systemd that is booted for one script, with the programs of regd's package as last built.
package enum BootedSystemd {
  /// Boots systemd, and runs a script under it. The script gets the checkout's path, writes a line "ok …" for each
  /// fact, and "done" at its end.
  ///
  /// Waits on one of four threads. A script takes up to a minute, and the pool that all tests share has only one thread
  /// per processor. More than 30 systemd at a time would exceed the kernel's limit on inotify instances of one user
  /// (128).
  ///
  /// - Parameters:
  ///   - script: Its path in the checkout.
  ///   - words: More arguments.
  ///   - options: Further options of `with-systemd`.
  /// - Returns: The script's output, and the number of its facts, or nil unless it ran to its end.
  package static func play(
    _ script: String, _ words: [String] = [], options: [String] = []
  ) async throws -> (facts: Int?, output: String) {
    let root = Places.root
    let programs = [
      "\(Places.regd):/usr/bin/regd", "\(Places.regctl):/usr/bin/regctl",
      "\(Places.programs)/regd-login:/usr/libexec/regd/regd-login",
      "\(Places.programs)/regd-tools:/usr/libexec/regd/regd-tools",
    ]
    let arguments =
      ["--private-network"] + options + (programs + [root]).flatMap { ["--bind-ro", $0] }
      + ["--", "\(root)/\(script)", root] + words
    let (status, output) = try await onAThread {
      try TemporaryDirectory.with { directory in
        try RegdProcess.run(
          program: "\(root)/Tests/Adapters/SystemdTests/with-systemd", arguments: arguments, directory: directory)
      }
    }
    let facts = output.split(separator: "\n").count { $0.hasPrefix("ok ") }
    return (status == 0 && output.hasSuffix("done\n") ? facts : nil, output)
  }

  private static let threads = Result { try WorkerThreads(name: "booted-systemd", count: 4) }

  private static func onAThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let threads = try threads.get()
    return try await withCheckedThrowingContinuation { continuation in
      threads.submit { continuation.resume(with: Result { try body() }) }
    }
  }
}
