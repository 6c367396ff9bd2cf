internal import CCurl
internal import CurlTransfers
internal import MailComposition

/// A mail that libcurl sends: its easy handle, and the data that the callbacks collect. Used on the loop's thread
/// only.
final class RunningMail: RunningHandle {
  let transfer: MailTransfer
  let handle: EasyHandle
  /// The latest time for the connection to be established.
  let connectDeadline: ContinuousClock.Instant
  private let configuration: SMTPMail.Configuration
  private let text: [UInt8]
  private var given = 0
  private var isHandedOver = false
  private var conversation: SMTPConversation
  private var lacksUTF8 = false
  /// The outcome with which libcurl is to end the mail early, or nil to let the mail continue.
  private var ending: SMTPOutcome.End?
  /// Whether the last command before QUIT belongs to the mail transaction (RFC 5321 section 3.3).
  private var isTransaction = false
  /// Whether libcurl has sent QUIT.
  private var isOver = false

  /// - Returns: Nil if memory is short, or if libcurl refused any option.
  init?(_ transfer: MailTransfer, _ configuration: SMTPMail.Configuration, milliseconds: Int) {
    guard let handle = EasyHandle() else { return nil }
    self.transfer = transfer
    self.handle = handle
    self.configuration = configuration
    connectDeadline = min(.now + configuration.connect, transfer.deadline)
    conversation = SMTPConversation(needsStartTLS: configuration.needsStartTLS)
    text = transfer.text.bytes(.wire)
    setOptions(milliseconds)
    setCallbacks()
    guard handle.areOptionsTaken else { return nil }
  }

  private func setOptions(_ milliseconds: Int) {
    // libcurl takes the path for the name in EHLO
    handle.set(CURLOPT_URL, "\(configuration.server.url)/\(Self.escaped(configuration.helo))")
    handle.set(CURLOPT_PROTOCOLS_STR, configuration.server.isTLS ? "smtps" : "smtp")
    handle.set(CURLOPT_UPLOAD, 1)
    handle.take(curl_set_size(handle.easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(text.count)))
    handle.set(CURLOPT_MAIL_FROM, "<\(transfer.text.sender)>")
    handle.set(CURLOPT_MAIL_RCPT, ["<\(transfer.text.recipient)>"])
    handle.set(CURLOPT_FORBID_REUSE, 1)
    if let user = configuration.user {
      handle.set(CURLOPT_USERNAME, user.name)
      handle.set(CURLOPT_PASSWORD, user.password.value)
      handle.set(CURLOPT_LOGIN_OPTIONS, transfer.mechanisms.options)
      handle.set(CURLOPT_SASL_IR, transfer.mechanisms.hasInitialResponse ? 1 : 0)
    }
    handle.setDirect()
    // No shorter connect timeout, because libcurl's includes the greeting. `MailsInFlight` checks `connectDeadline`
    // instead.
    handle.setTimes(total: milliseconds, connect: milliseconds)
    handle.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, milliseconds / 1000 + 1)
    handle.setTrust(caFile: configuration.caFile)
    handle.set(CURLOPT_USE_SSL, configuration.needsStartTLS ? curl_use_ssl_all : curl_use_ssl_none)
  }

  /// - Parameter name: ASCII.
  private static func escaped(_ name: String) -> String {
    name.replacing("[", with: "%5B").replacing("]", with: "%5D").replacing(":", with: "%3A")
  }

  private func setCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    handle.take(
      curl_set_read_function(
        handle.easy,
        { buffer, size, count, context in
          guard let buffer, let running = RunningMail.from(context) else { return 0 }
          return running.give(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        }, context))
    handle.take(
      curl_set_header_function(
        handle.easy,
        { bytes, size, count, context in
          let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
          return RunningMail.from(context)?.hear(String(decoding: line, as: UTF8.self)) == true ? size * count : 0
        }, context))
    handle.take(
      curl_set_progress_function(
        handle.easy,
        // libcurl also calls this while it blocks the loop and waits for the answer to the text or to QUIT. Nothing
        // else can end the mail then
        { context, _, _, _, _ in RunningMail.from(context)?.isToEnd == true ? 1 : 0 }, context))
    handle.observe { [weak self] in self?.say($0) }
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> RunningMail? {
    context.map { Unmanaged<RunningMail>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Gives libcurl the next part of the text. libcurl calls this only after the server has asked for the text (354).
  private func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
    isHandedOver = true
    let some = text[given...].prefix(room.count)
    room.copyBytes(from: some)
    given += some.count
    return some.count
  }

  /// Takes the server's next line.
  ///
  /// - Returns: Whether libcurl may continue. False ends the mail.
  private func hear(_ line: String) -> Bool {
    // ignores the answer to QUIT, which shows nothing about the mail
    guard !isOver else { return true }
    guard conversation.hear(line) else { return !conversation.isEndless }
    lacksUTF8 = transfer.text.needsUTF8 && conversation.offersUTF8 == false
    return !lacksUTF8
  }

  /// Called with each command that libcurl sends.
  private func say(_ command: UnsafeRawBufferPointer) {
    guard command.starts(with: "QUIT".utf8) else {
      isTransaction = ["MAIL ", "RCPT ", "DATA\r"].contains { command.starts(with: $0.utf8) }
      return
    }
    isOver = true
    // the outcome is known, but libcurl reports it only after the answer to QUIT: one second is enough
    curl_set_long(handle.easy, CURLOPT_SERVER_RESPONSE_TIMEOUT, 1)
  }

  /// Whether the connection is or was established.
  var isConnected: Bool { conversation.code != nil || curl_get_long(handle.easy, CURLINFO_LOCAL_PORT) > 0 }

  /// Makes libcurl end the mail at its next callback, within a second. If regd removed the handle instead, libcurl
  /// would write the end-of-text mark after the part already sent (smtp_done), and the server would deliver a truncated
  /// mail.
  func end(_ end: SMTPOutcome.End) { ending = ending ?? end }

  private var isToEnd: Bool { ending != nil || transfer.isCancelled }

  // MARK: Afterwards

  func end(_ result: CURLcode) -> SMTPOutcome {
    let words = handle.words(of: result)
    if result == CURLE_ABORTED_BY_CALLBACK { return outcome(ending ?? .cancelled, words) }
    if lacksUTF8 { return outcome(.unsupported, words) }
    return outcome(
      SMTPOutcome.End(result, handle.tls, code: conversation.code, isTransaction: isTransaction), words)
  }

  private func outcome(_ end: SMTPOutcome.End, _ message: String) -> SMTPOutcome {
    SMTPOutcome(
      end, code: conversation.code, words: conversation.words, isHandedOver: isHandedOver, message: message)
  }
}

/// A server's replies, line by line (RFC 5321 section 4.2): the last one, and the offered extensions.
struct SMTPConversation {
  /// The code of the last complete reply.
  private(set) var code: Int?
  private(set) var words = ""
  private var lines: [String] = []
  private var replies = 0
  private let needsStartTLS: Bool
  /// Whether the server accepts addresses beyond ASCII, or nil until its EHLO reply, or with STARTTLS until the second
  /// one.
  private(set) var offersUTF8: Bool?

  /// The most bytes of all replies. No honest server sends more. A line has at most 512 bytes (RFC 5321 section 4.5.3.1.5).
  private static let mostBytes = 65_536
  private var bytes = 0

  /// - Parameter needsStartTLS: Whether libcurl sends EHLO a second time, after STARTTLS.
  init(needsStartTLS: Bool) { self.needsStartTLS = needsStartTLS }

  /// Whether the server has sent more than any honest server does.
  var isEndless: Bool { bytes > Self.mostBytes }

  /// Takes the server's next line.
  ///
  /// - Returns: Whether the line ended a reply.
  mutating func hear(_ line: String) -> Bool {
    bytes += line.utf8.count
    let digits = line.utf8.prefix(3)
    guard digits.count == 3, digits.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(Substring(digits)) else {
      return false
    }
    let rest = line.utf8.dropFirst(3)
    lines.append(String(Substring(rest.dropFirst())))
    guard rest.first != UInt8(ascii: "-") else { return false }
    end(number)
    return true
  }

  /// Ends a reply. Replies are counted to find the reply to EHLO: 0 is the greeting, 1 answers EHLO, 2 STARTTLS, and 3
  /// the second EHLO after it. A refused EHLO is followed by HELO, whose reply offers nothing.
  private mutating func end(_ number: Int) {
    if offersUTF8 == nil, replies >= (needsStartTLS ? 3 : 1), number == 250 {
      offersUTF8 = lines.contains { $0.uppercased().split { $0.isWhitespace }.first == "SMTPUTF8" }
    }
    replies += 1
    (code, words) = (number, lines.joined(separator: " "))
    lines = []
  }
}
