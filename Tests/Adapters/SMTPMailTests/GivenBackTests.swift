import Registration
import Synchronization
import TestKit
import Testing

@testable import SMTPMail

/// Mails that end after each byte of the server's replies, on either side.
@Suite("Release of mails' resources", .timeLimit(.minutes(10)))
struct GivenBackTests {
  /// How a mail ends.
  enum End: CaseIterable { case serverCloses, serverResets, callerLeaves }

  /// The replies to the connection, EHLO, MAIL, RCPT, DATA, the text and QUIT.
  private static let replies = [
    "220 a\r\n", "250 SMTPUTF8\r\n", "250 ok\r\n", "250 ok\r\n", "354 go\r\n", "250 ok\r\n", "221 bye\r\n",
  ]
  private static let indexOfText = 5

  /// In a separate process, because other tests also open descriptors.
  @Test("a mail that ends after any byte of the replies leaves no descriptor, and the next mail is sent")
  func everywhere() async {
    await #expect(processExitsWith: .success) {
      for end in GivenBackTests.End.allCases { try await GivenBackTests.leave(end) }
    }
  }

  static func leave(_ end: End) async throws {
    let sent = Atomic<Int>(0)
    let (written, sink) = AsyncStream.makeStream(of: Void.self)
    let server = try RawServer { connection in
      guard !Self.answers(connection, sent.load(ordering: .sequentiallyConsistent)) else { return }
      switch end {
      case .serverCloses: break
      case .serverResets:
        while connection.unreadByPeer > 0 {}
        connection.reset()
      case .callerLeaves:
        sink.yield()
        connection.waitForEnd()
      }
    }
    defer { server.close() }
    var configuration = SMTPMail.Configuration(server: try SMTPServer.read("smtp://127.0.0.1:\(server.port)").get())
    (configuration.connect, configuration.total) = (.seconds(60), .seconds(60))
    let mail = try SMTPMail(configuration) { _ in }
    defer { mail.stop() }
    let all = Self.replies.reduce(0) { $0 + $1.utf8.count }
    // once the server has accepted the text, the mail is sent, whatever happens to QUIT
    let accepted = all - (Self.replies.last?.utf8.count ?? 0)
    var before = Int.max
    for count in 0..<all {
      sent.store(count, ordering: .sequentiallyConsistent)
      let isSent = await withTaskGroup(of: Bool.self) { group in
        group.addTask { await mail.failure() == nil }
        if end == .callerLeaves {
          for await _ in written { break }
          group.cancelAll()
        }
        return await group.next()
      }
      if count < accepted { #expect(isSent == false, "\(end) after \(count) bytes") }
      // the descriptors of the first mail may still be open here, but not those of all
      if count == 0 { before = try await DescriptorCount.ofThisProcess() }
    }
    let left = try await DescriptorCount.ofThisProcess(atMost: before)
    #expect(left <= before, "\(end)")
    sent.store(all, ordering: .sequentiallyConsistent)
    #expect(await mail.failure() == nil, "after \(end)")
  }

  /// Sends the first bytes of the replies, and reads a command or the text before each reply but the first.
  ///
  /// - Returns: Whether all replies were sent.
  private static func answers(_ connection: RawConnection, _ count: Int) -> Bool {
    var rest = count
    for (index, reply) in replies.enumerated() {
      if index > 0, !hears(connection, index == indexOfText ? "\r\n.\r\n" : "\r\n") { return false }
      let part = Array(reply.utf8.prefix(rest))
      connection.write(String(decoding: part, as: UTF8.self))
      rest -= part.count
      if part.count < reply.utf8.count { return false }
    }
    return true
  }

  /// Reads up to the end of a command or the text.
  ///
  /// - Returns: Whether the end came.
  private static func hears(_ connection: RawConnection, _ end: String) -> Bool {
    var text: [UInt8] = []
    while !text.suffix(end.utf8.count).elementsEqual(end.utf8) {
      guard let more = connection.readSome() else { return false }
      text += more
    }
    return true
  }
}
