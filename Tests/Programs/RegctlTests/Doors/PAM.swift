import Linux
import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// PAM services in a directory of the test, and a program that signs in with them.
enum PAM {
  /// The module, as the Makefile builds it.
  static let module = Result {
    let path = "\(Places.root)/.build/pam/pam_regd.so"
    // in a separate directory, because the output goes into files there
    _ = try TemporaryDirectory.with { directory in
      try Program.run(["make", "-s", "-C", Places.root, ".build/pam/pam_regd.so"], in: directory)
    }
    return path
  }

  /// The shipped stack, with the built regd-login.
  static func stack(_ directory: String, socket: String, _ options: String = "") throws {
    let shipped = try #require(TextFile.read("\(Places.root)/Config/doors/pam.d/regd"))
    let stack = shipped.replacing(
      "/usr/libexec/regd/regd-login pam", with: "\(Places.programs)/regd-login pam --socket \(socket) \(options)")
    try TextFile.write(stack, to: "\(directory)/stack")
  }

  static func service(_ directory: String, _ arguments: String) throws {
    try TextFile.write("auth required \(try module.get()) \(arguments)\n", to: "\(directory)/module")
  }

  /// The output of the caller: the name of libpam's code, and further results.
  static func signIn(
    _ service: String, _ user: String, _ password: String, in directory: String, from origin: String = ""
  ) throws -> String {
    try FileWriting.write(Array(password.utf8), to: "\(directory)/password")
    let words = ["\(Places.products)/pam-caller", directory, service, user] + (origin.isEmpty ? [] : [origin])
    let quoted = words.map { "'\($0)'" }.joined(separator: " ")
    return try Shell.run("\(quoted) <password", "", in: directory).output
  }

  /// Only the name of the code.
  static func code(_ output: String) -> String {
    output.split(separator: "\n").first { $0.hasPrefix("PAM_") }.map { String($0.prefix { $0 != " " }) } ?? output
  }
}
