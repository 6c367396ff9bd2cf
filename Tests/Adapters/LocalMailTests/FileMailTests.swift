import Glibc
import Linux
import Registration
import Synchronization
import TestDoubles
import TestKit
import Testing

@testable import LocalMail

enum LocalMailTests {
  static func mail(
    to address: String = "name@example.com", body: String = "123456\n", at time: Timestamp = Fixtures.time
  ) -> Mail {
    Mail(
      id: MailID(at: time), kind: .registrationCode, to: EmailAddress(stored: address, key: EmailKey(address)),
      from: "regd@example.com", fromName: "Example", date: time, language: "en", subject: "Code", body: body)
  }

  static func failure(_ service: some MailService, _ mail: Mail) async -> MailFailure? {
    do throws(MailFailure) {
      try await service.send(mail)
      return nil
    } catch { return error }
  }
}

/// Tests files on a real file system.
@Suite("Mails as files", .timeLimit(.minutes(10)))
struct FileMailTests {
  @Test("an unusable directory delays the mail, and the warning does not contain the mail's name")
  func noDirectory() async throws {
    try await withTemporaryDirectory { directory in
      try TextFile.write("", to: "\(directory)/file")
      for (path, says) in [
        ("\(directory)/gone", "\(directory)/gone: No such file or directory"),
        ("\(directory)/file", "\(directory)/file: Not a directory"),
      ] {
        let warnings = Mutex<[String]>([])
        let files = try FileMail(path) { line in warnings.withLock { $0.append(line) } }
        defer { files.stop() }
        #expect(FileMail.problem(of: path) != nil)
        #expect(await LocalMailTests.failure(files, LocalMailTests.mail()) == .unusable(says))
        #expect(warnings.withLock { $0 } == ["mail.file.directory: \(says)"])
      }
    }
  }

  @Test("regd does not follow a link in place of its temporary file, and the previous mail stays unchanged")
  func link() async throws {
    try await withTemporaryDirectory { directory in
      let files = try FileMail(directory) { _ in }
      defer { files.stop() }
      let mail = LocalMailTests.mail()
      #expect(await LocalMailTests.failure(files, mail) == nil)
      let before = TextFile.read("\(directory)/\(mail.id).eml")
      #expect(symlink("\(directory)/other", "\(directory)/.\(mail.id).eml.new") == 0)
      #expect(await LocalMailTests.failure(files, mail) == .deferred("\(directory): Too many levels of symbolic links"))
      #expect(TextFile.read("\(directory)/\(mail.id).eml") == before)
      #expect(!FileSystem.exists("\(directory)/other"))
    }
  }

  @Test("each mail is one file that only its user can read, and a repeat replaces it")
  func written() async throws {
    try await withTemporaryDirectory { directory in
      let files = try FileMail(directory) { _ in }
      let first = LocalMailTests.mail()
      let second = LocalMailTests.mail(to: "用户@xn--fsqu00a.example", body: "您的验证码是 123456\n")
      for mail in [first, second, first] { #expect(await LocalMailTests.failure(files, mail) == nil) }
      #expect(try FileSystem.names(in: directory) == [first, second].map { "\($0.id).eml" }.sorted())
      let path = "\(directory)/\(second.id).eml"
      #expect(try FileStatus(path).permissions == 0o600)
      let read = try #require(ReadMail(try FileReading.bytes(path)))
      #expect(read["To"] == "用户@xn--fsqu00a.example")
      #expect(read["From"] == "\"Example\" <regd@example.com>")
      #expect(read["Message-ID"] == "<\(second.id)@example.com>")
      #expect(read.body == "您的验证码是 123456\n")
      files.stop()
      #expect(await LocalMailTests.failure(files, first) == .cancelled)
    }
  }

  @Test("an address that no header may contain is refused, and no file is written")
  func refused() async throws {
    try await withTemporaryDirectory { directory in
      let files = try FileMail(directory) { _ in }
      defer { files.stop() }
      let failure = await LocalMailTests.failure(files, LocalMailTests.mail(to: "a\nBcc: b@example.com"))
      #expect(failure?.isTemporary == false)
      #expect(try FileSystem.names(in: directory).isEmpty)
    }
  }
}
