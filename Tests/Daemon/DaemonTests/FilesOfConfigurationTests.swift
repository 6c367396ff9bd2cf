import CurlTransfers
import Glibc
import HTTPNetwork
import Linux
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@testable import Daemon

/// The files that the configuration is read from, and those that it names.
@Suite("Files of the configuration", .blocking, .timeLimit(.minutes(10)))
struct FilesOfConfigurationTests {
  private func problems(
    _ yaml: String, at path: String = "/nonexistent/f.yaml", _ environment: [String: String] = [:]
  ) async -> String {
    do {
      let variables = ["REGD_SOCKET_GROUP": ""].merging(environment) { $1 }
      _ = try await Settings(file: (path, yaml), environment: variables)
      return ""
    } catch {
      return "\(error)"
    }
  }

  // MARK: Files that regd writes

  @Test("the database, the socket and the files that regd makes next to them must be separate files")
  func oneFile() async throws {
    for (store, socket) in [
      ("/run/x/s", "/run/x/s"), ("/run/x/s.lock", "/run/x/s"), ("/run/x/s.new", "/run/x/s"),
      ("/run//x/./y/../s.lock", "/run/x/s"), ("/v/d", "/v/d-wal"), ("/v/d", "/v/d-shm"), ("/v/d", "/v/d-journal"),
    ] {
      let says = await problems("socket: {path: \(socket)}\nstore: {sqlite: {path: \(store)}}")
      #expect(says.contains("f.yaml:2: store.sqlite.path: must be a separate file"), "\(store) \(socket): \(says)")
      #expect(says.contains("of socket.path") || says.contains("as socket.path"), "\(says)")
    }
    #expect(await problems("socket: {path: /run/x/s}\nstore: {sqlite: {path: /run/x/s.db}}") == "")
    // without a database there is nothing to destroy
    #expect(await problems("socket: {path: /run/x/s}\nstore: {backend: memory, sqlite: {path: /run/x/s.lock}}") == "")
  }

  @Test("links do not hide that two names are one file: neither symbolic links, also to a missing file, nor hard links")
  func links() async throws {
    try await withTemporaryDirectory { directory in
      try TextFile.write("precious", to: "\(directory)/regd.db")
      #expect(link("\(directory)/regd.db", "\(directory)/hard.lock") == 0)
      #expect(symlink("regd.db", "\(directory)/soft.lock") == 0)
      #expect(symlink("later.db", "\(directory)/early.lock") == 0)
      #expect(symlink(directory, "\(directory)/round") == 0)
      for (name, store) in [
        ("hard", "regd.db"), ("soft", "regd.db"), ("early", "later.db"), ("x", "round/x.lock"),
        ("round/x", "round/round/x.lock"),
      ] {
        let says = await problems(
          "socket: {path: \(directory)/\(name)}\nstore: {sqlite: {path: \(directory)/\(store)}}")
        #expect(says.contains("store.sqlite.path: must be a separate file"), "\(name) \(store): \(says)")
      }
      #expect(await problems("socket: {path: \(directory)/y}\nstore: {sqlite: {path: \(directory)/regd.db}}") == "")
    }
  }

  @Test("a file that regd only reads must not be a file that it writes: the configuration itself, a list, a key")
  func readOnly() async throws {
    try await withTemporaryDirectory { directory in
      let file = "\(directory)/f.yaml"
      try TextFile.write("", to: file)
      #expect(
        await problems("store: {sqlite: {path: \(file)}}", at: file).contains("same file as the configuration file"))
      #expect(
        await problems("socket: {path: \(directory)/s}", at: "\(directory)/s.lock").contains(
          "socket.path: must be a separate file"))
      #expect(
        await problems("password: {breachedList: /v/d}\nstore: {sqlite: {path: /v/d}}")
          .contains("password.breachedList: must be a separate file"))
      #expect(
        await problems("network: {http: {caFile: /v/d-wal}}\nstore: {sqlite: {path: /v/d}}")
          .contains("network.http.caFile: must be a separate file"))
      // certificate and key may be one file
      #expect(
        await problems("network: {http: {clientCertificateFile: /v/c.pem, clientKeyFile: /v/c.pem}}") == "")
    }
  }

  @Test("--check-config and a start refuse settings that would destroy the database, and destroy nothing")
  func checkConfig() throws {
    try TemporaryDirectory.with { directory in
      try TextFile.write("precious", to: "\(directory)/s.lock")
      for arguments in [["--check-config"], []] {
        let (status, output) = try RegdProcess.run(
          program: Places.regd,
          arguments: [
            "--config", "\(Places.root)/Config/regd.yaml", "--socket-group=", "--socket-path", "\(directory)/s",
            "--store-sqlite-path", "\(directory)/s.lock",
          ] + arguments, directory: directory)
        #expect(status == 78, "\(output)")
        #expect(output.contains("the lock file of socket.path"))
        #expect(TextFile.read("\(directory)/s.lock") == "precious")
      }
    }
  }

  // MARK: Files that are read

  @Test("a file that is too large, a directory, not text or a pipe is refused with its reason")
  func bounded() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/f"
      func failure(atMost limit: Int = 100) -> FileReading.Failure? {
        do throws(FileReading.Failure) {
          _ = try FileReading.text(path, atMost: limit)
          return nil
        } catch { return error }
      }
      #expect(failure() == .system(SystemError("open", ENOENT)))
      #expect(mkdir(path, 0o700) == 0)
      #expect(failure() == .system(SystemError("read", EISDIR)))
      rmdir(path)
      #expect(mkfifo(path, 0o600) == 0)
      #expect(failure() == .isPipe)
      unlink(path)
      try TextFile.write(String(repeating: "x", count: 101), to: path)
      #expect(failure() == .tooLarge(limit: 100))
      #expect(failure(atMost: 101) == nil)
      let bytes: [UInt8] = Array("a\nb".utf8) + [0xFF] + Array("\nc".utf8)
      let file = try #require(fopen(path, "w"))
      #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
      fclose(file)
      #expect(failure() == .notText(line: 2))
    }
  }

  @Test("regd reads a configuration from a pipe that a shell has opened, and does not wait for a named pipe")
  func pipes() throws {
    try TemporaryDirectory.with { directory in
      let command = "\(Places.regd) --check-config --socket-group= --config <(echo 'limits: {depth: x}')"
      let (status, output) = try RegdProcess.run(
        program: "/bin/bash", arguments: ["-c", command], directory: directory)
      #expect(status == 78 && output.contains(":1: limits.depth: must be a whole number"), "\(output)")
      #expect(mkfifo("\(directory)/fifo", 0o600) == 0)
      let (named, says) = try RegdProcess.run(
        program: "/usr/bin/timeout", arguments: ["30", Places.regd, "--config", "\(directory)/fifo"],
        directory: directory)
      #expect(named == 78 && says.contains("is a named pipe, but must be a file"), "\(says)")
    }
  }

  @Test("an empty, binary or too large credential is refused, and a credential for no key is not even opened")
  func credentials() async throws {
    try await withTemporaryDirectory { directory in
      let environment = ["CREDENTIALS_DIRECTORY": directory]
      let token = "\(directory)/network-http-bearerToken"
      for empty in ["", "\n", " \r\n"] {
        try TextFile.write(empty, to: token)
        let says = await problems("", at: "/nonexistent/f.yaml", environment)
        #expect(
          says == "credential network-http-bearerToken: network.http.bearerToken: the credential is empty", "\(says)")
      }
      try TextFile.write(String(repeating: "x", count: Credentials.mostBytes + 1), to: token)
      #expect(
        await problems("", at: "/nonexistent/f.yaml", environment).contains(
          "the credential cannot be read: it has more than 65536 bytes"))
      let file = try #require(fopen(token, "w"))
      #expect(fwrite([0xFE, 0xFF] as [UInt8], 1, 2, file) == 2)
      fclose(file)
      #expect(await problems("", at: "/nonexistent/f.yaml", environment).contains("line 1 is not UTF-8"))
      unlink(token)
      #expect(mkfifo(token, 0o600) == 0)
      #expect(await problems("", at: "/nonexistent/f.yaml", environment).contains("is a named pipe"))
      unlink(token)
      // Credentials of other programs, which may be files of any kind.
      #expect(mkfifo("\(directory)/other", 0o600) == 0)
      try TextFile.write("", to: "\(directory)/another")
      #expect(await problems("", at: "/nonexistent/f.yaml", environment) == "")
      // A link to the credential. The content begins with the byte order mark of Windows programs.
      try TextFile.write("\u{FEFF}s3cret\r\n", to: "\(directory)/elsewhere")
      #expect(symlink("elsewhere", token) == 0)
      let settings = try await Settings(
        file: nil, environment: environment.merging(["REGD_SOCKET_GROUP": ""]) { $1 })
      let http = settings.network.backends.lazy.compactMap { $0 as? HTTPBackend }.first
      #expect(http?.configuration.bearerToken?.value == "s3cret")
    }
  }
}
