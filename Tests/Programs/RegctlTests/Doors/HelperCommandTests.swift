import Linux
import RegdProcesses
import TestDoubles
import TestKit
import Testing

@Suite("regctl helper", .blocking, .timeLimit(.minutes(10)))
struct HelperCommandTests {
  private func withPeople(_ body: (RunningRegd) throws -> Void) throws {
    try withRegd { regd in
      try Shell.check(
        [
          ("echo 'a fine phrase' | $regctl register Ann@Test.com --password-stdin", 0, ""),
          ("echo 'a fine phrase' | $regctl register off@test.com --password-stdin", 0, ""),
          ("$regctl account disable off@test.com", 0, ""),
        ], regd.socket)
      try body(regd)
    }
  }

  /// Sends texts with their lengths to the helper, as ejabberd does, and returns the answers.
  private func ejabberd(_ texts: [String], _ socket: String, in directory: String) throws -> [String] {
    let frames = texts.map { Array($0.utf8) }.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
    try FileWriting.write(frames, to: "\(directory)/frames")
    let (_, output) = try Shell.run("$regctl helper ejabberd <frames | od -An -v -w4 -tx1", socket, in: directory)
    return output.split(separator: "\n").map { String($0.suffix(2)) }
  }

  @Test(
    "helper apache exits with 0 for a correct password, 1 for a wrong or refused one, and 75 if regd is unavailable")
  func apache() throws {
    try withPeople { regd in
      try Shell.check(
        [
          (#"printf 'ann\na fine phrase\n' | $regctl helper apache --domain test.com"#, 0, ""),
          (#"printf 'ann\na bad phrase\n' | $regctl helper apache --domain test.com"#, 1, ""),
          (#"printf 'off@test.com\na fine phrase\n' | IP=::1 $regctl helper apache"#, 1, ""),
          (#"printf 'ann\na fine phrase\n' | $regctl helper apache"#, 1, ""),
          (
            #"printf 'ann' | $regctl helper apache --domain test.com"#, 75,
            "is missing, incomplete or too long"
          ),
          (#"printf 'ann@test.com\nx\n' | $regctl helper apache --socket /nonexistent/s"#, 75, "cannot connect"),
        ], regd.socket)
    }
  }

  @Test("helper checkpassword runs the program with the account's name, or exits with 1 or 111")
  func checkpassword() throws {
    try withPeople { regd in
      let run = "$regctl helper checkpassword"
      let program = #"/bin/sh -c 'echo "$USER $1"; ls /proc/self/fd | grep -c "^3$"; exit 9' sh --json"#
      for (entry, options, status, says) in [
        (#"ANN\0a fine phrase\0t\0"#, "--domain TEST.com \(program)", 9, "ann@test.com --json"),
        (#"Ann@Test.com\0a fine phrase\0t\0"#, "-- \(program)", 9, "ann@test.com --json"),
        (#"ann@test.com\0a bad phrase\0t\0"#, program, 1, ""), (#"off@test.com\0a fine phrase\0t\0"#, program, 1, ""),
        (#"ann@test.com\0\0t\0"#, program, 1, ""),
        (#"ann@test.com\0a fine phrase"#, program, 111, "is missing, incomplete or too long"),
        (#"ann@test.com\0a fine phrase\0t\0"#, "--socket /nonexistent/s \(program)", 111, "cannot connect"),
        (#"ann@test.com\0a fine phrase\0t\0"#, "/nonexistent/program", 111, "/nonexistent/program"),
        (#"ann@test.com\0a fine phrase\0t\0"#, "", 2, "program"),
        (#"ann@test.com\0a fine phrase\0t\0"#, "--", 2, "program"),
      ] as [(String, String, Int32, String)] {
        let command = "printf '\(entry)' >entry; \(run) \(options) 3<entry"
        let (seen, output) = try Shell.run(command, regd.socket)
        #expect(seen == status && output.contains(says), "\(command): \(output)")
        // descriptor 3 is closed, so ls opens the directory as 3
        if status == 9 { #expect(output.hasSuffix("\n1\n"), "\(output)") }
      }
      #expect(try Shell.run("\(run) /bin/true 3<&-", regd.socket).status == 111)
    }
  }

  @Test("helper squid answers lines with and without channels, with a running regd and without one")
  func squid() throws {
    try withPeople { regd in
      try TextFile.write(
        "ann a%20fine%20phrase\nann x\n5 off a%20fine%20phrase\n6 ann%40test.com a%20fine%20phrase\nann \nx\n",
        to: "\(regd.directory)/lines")
      let command = "$regctl helper squid --domain test.com <lines"
      let lines = try Shell.run(command, regd.socket, in: regd.directory).output.split(separator: "\n").map {
        String($0)
      }
      #expect(
        lines.sorted() == [
          "5 ERR message=\"account.disabled\"", "6 OK", "BH message=\"rpc.invalidRequest\"", "ERR", "ERR", "OK",
        ])
      let away = try Shell.run("\(command) --socket /nonexistent/s 2>/dev/null", "", in: regd.directory).output
      #expect(away.contains("6 BH message=\"cannotConnect\"\n"))
    }
  }

  @Test("helper apache and helper squid let in only members of their groups, and refuse an invalid name of a group")
  func groups() throws {
    try withPeople { regd in
      let apache = "$regctl helper apache --domain test.com"
      let tooMany = (0..<65).map { "--group g\($0)" }.joined(separator: " ")
      try Shell.check(
        [
          ("echo 'a fine phrase' | $regctl register bob@test.com --password-stdin", 0, ""),
          (#"$regctl call account.addGroups '{"email":"ann@test.com","groups":["staff"]}'"#, 0, ""),
          ("printf 'bob\\na bad phrase\\n' | \(apache) --group staff", 1, ""),
          ("printf 'bob\\na fine phrase\\n' | \(apache) --group staff", 1, ""),
          ("printf 'ann\\na fine phrase\\n' | \(apache) --group guests", 1, ""),
          ("printf 'ann\\na fine phrase\\n' | \(apache) --group guests --group staff", 0, ""),
          ("printf 'bob\\na fine phrase\\n' | \(apache)", 0, ""),
          ("printf 'ann\\na fine phrase\\n' | \(apache) --group Staff", 2, "--group \"Staff\" is not allowed"),
          ("$regctl helper squid --group '' </dev/null", 2, "--group \"\" is not allowed"),
          ("$regctl helper squid \(tooMany) </dev/null", 2, "--group \"g64\" is not allowed"),
        ], regd.socket)
      try TextFile.write(
        "1 ann a%20fine%20phrase\n2 bob a%20fine%20phrase\n3 off a%20fine%20phrase\n4 bob x\n",
        to: "\(regd.directory)/lines")
      let command = "$regctl helper squid --domain test.com --group staff <lines"
      let answers = try Shell.run(command, regd.socket, in: regd.directory).output.split(separator: "\n").sorted()
      #expect(
        answers == [
          "1 OK", "2 ERR message=\"group.required\"", "3 ERR message=\"account.disabled\"", "4 ERR",
        ])
    }
  }

  @Test("helper ejabberd supports every operation for an administrator")
  func operations() throws {
    try withPeople { regd in
      let answers = try ejabberd(
        [
          "auth:ann:test.com:a fine phrase", "auth:ann:test.com:x", "auth:off:test.com:a fine phrase",
          "isuser:ann:test.com",
          "isuser:bob:test.com", "tryregister:bob:test.com:another: phrase", "auth:bob:test.com:another: phrase",
          "tryregister:bob:test.com:another phrase", "tryregister:new:test.com:x",
          "setpass:bob:test.com:one more phrase",
          "auth:bob:test.com:one more phrase", "setpass:nobody:test.com:one more phrase", "setpass:bob:test.com:x",
          "removeuser3:bob:test.com:wrong", "removeuser3:bob:test.com:one more phrase", "isuser:bob:test.com",
          "removeuser:ann:test.com", "isuser:ann:test.com", "removeuser:ann:test.com", "nonsense",
        ], regd.socket, in: regd.directory)
      #expect(
        answers == [
          "01", "00", "00", "01", "00", "01", "01", "00", "00", "01", "01", "00", "00", "00", "01", "00", "01", "00",
          "00",
          "00",
        ])
      #expect(try ejabberd(["auth:ann:test.com:x"], "/nonexistent/s", in: regd.directory).last == "02")
    }
  }

  @Test("an operation that this user may not perform is answered with 0, and a denied sign-in with 2")
  func notAllowed() throws {
    let regd = AnsweringRegd { _ in AnsweringRegd.reply(AnsweringRegd.refusal("access.denied")) }
    try regd.with { (directory) throws in
      let texts = ["setpass:a:x.org:p", "removeuser:a:x.org", "isuser:a:x.org"]
      for text in texts { #expect(try ejabberd([text], "\(directory)/s", in: directory) == ["00"]) }
      #expect(try ejabberd(["auth:a:x.org:p"], "\(directory)/s", in: directory) == ["02"])
    }
  }

  @Test("a running helper asks the next regd after a restart")
  func restarted() throws {
    try withPeople { regd in
      let socket = try Descriptor.socketPair()
      let child = try ChildProcess.start(
        Places.regctl, ["helper", "squid", "--socket", regd.socket, "--domain", "test.com"],
        [0: .parents(socket.second.number), 1: .parents(socket.second.number), 2: .null])
      func ask(_ line: String) throws -> String {
        try socket.first.sendAll(Array("\(line)\n".utf8))
        return String(decoding: try socket.first.receive(atMost: 1000), as: UTF8.self)
      }
      #expect(try ask("ann a%20fine%20phrase") == "OK\n")
      regd.process.end()
      #expect(try ask("ann a%20fine%20phrase").hasPrefix("BH message="))
      try regd.restart(after: 9)
      #expect(try ask("ann a%20fine%20phrase") == "OK\n")
      #expect(try ask("ann x") == "ERR\n")
      socket.first.shutdown(.writing)
      #expect(ChildProcess.reap(child) == 0)
    }
  }
}
