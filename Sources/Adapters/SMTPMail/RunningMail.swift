internal import CCurl
internal import CurlTransfers
internal import MailComposition

/// A mail that libcurl sends: its easy handle, and the data that the callbacks collect. Used on the loop's thread
/// only.
final class RunningMail {
  let transfer: MailTransfer
  let easy: UnsafeMutableRawPointer
  /// The latest time for the connection to be established.
  let connectDeadline: ContinuousClock.Instant
  private let configuration: SMTPMail.Configuration
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  /// libcurl keeps a pointer to it.
  private let recipients: UnsafeMutablePointer<curl_slist>?
  private let text: [UInt8]
  private var given = 0
  private var isHandedOver = false
  private var conversation: SMTPConversation
  private var lacksUTF8 = false
  /// How to end the mail early; nil to let it go on.
  private var ending: SMTPOutcome.End?
  /// Whether libcurl has sent QUIT.
  private var isOver = false

  /// - Returns: Nil if memory is short, or if libcurl refused an option on which a promise of regd rests.
  init?(_ transfer: MailTransfer, _ configuration: SMTPMail.Configuration, milliseconds: Int) {
    guard let easy = curl_easy_init() else { return nil }
    self.transfer = transfer
    self.easy = easy
    self.configuration = configuration
    connectDeadline = min(.now + configuration.connect, transfer.deadline)
    conversation = SMTPConversation(needsStartTLS: configuration.needsStartTLS)
    text = transfer.text.bytes(.wire)
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    recipients = curl_slist_append(nil, "<\(transfer.text.recipient)>")
    guard recipients != nil, setOptions(milliseconds), setCallbacks() else { return nil }
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(recipients)
    errorText.deallocate()
  }

  private func setOptions(_ milliseconds: Int) -> Bool {
    var options = EasyOptions(easy: easy)
    options.set(CURLOPT_URL, configuration.server.url)
    options.set(CURLOPT_PROTOCOLS_STR, configuration.server.isTLS ? "smtps" : "smtp")
    options.set(CURLOPT_UPLOAD, 1)
    options.take(curl_set_size(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(text.count)))
    options.set(CURLOPT_MAIL_FROM, "<\(transfer.text.sender)>")
    options.take(curl_set_list(easy, CURLOPT_MAIL_RCPT, recipients))
    options.set(CURLOPT_FORBID_REUSE, 1)
    if let user = configuration.user {
      options.set(CURLOPT_USERNAME, user.name)
      options.set(CURLOPT_PASSWORD, user.password.value)
    }
    options.setDirect()
    // libcurl's connect timeout would include the greeting; `MailsUnderWay` watches the connection instead
    options.setTimes(total: milliseconds, connect: milliseconds)
    options.set(CURLOPT_SERVER_RESPONSE_TIMEOUT, milliseconds / 1000 + 1)
    options.setTrust(caFile: configuration.caFile)
    options.set(CURLOPT_USE_SSL, Int((configuration.needsStartTLS ? CURLUSESSL_ALL : CURLUSESSL_NONE).rawValue))
    return options.areTaken
  }

  private func setCallbacks() -> Bool {
    let context = Unmanaged.passUnretained(self).toOpaque()
    return curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK
      && curl_set_read_function(
        easy,
        { buffer, size, count, context in
          guard let buffer, let running = RunningMail.from(context) else { return 0 }
          return running.give(UnsafeMutableRawBufferPointer(start: buffer, count: size * count))
        }, context) == CURLE_OK
      && curl_set_header_function(
        easy,
        { bytes, size, count, context in
          let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
          return RunningMail.from(context)?.hear(String(decoding: line, as: UTF8.self)) == true ? size * count : 0
        }, context) == CURLE_OK
      && curl_set_watchers(
        easy,
        { _, kind, bytes, count, context in
          if kind == CURLINFO_HEADER_OUT {
            RunningMail.from(context)?.say(UnsafeRawBufferPointer(start: bytes, count: count))
          }
          return 0
        },
        // while libcurl waits for the answers to the text and to QUIT, it does not return to the loop
        { context, _, _, _, _ in RunningMail.from(context)?.isToEnd == true ? 1 : 0 }, context) == CURLE_OK
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> RunningMail? {
    context.map { Unmanaged<RunningMail>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Called when the server has asked for the text.
  private func give(_ room: UnsafeMutableRawBufferPointer) -> Int {
    isHandedOver = true
    let some = text[given...].prefix(room.count)
    room.copyBytes(from: some)
    given += some.count
    return some.count
  }

  /// - Returns: Whether the conversation may continue.
  private func hear(_ line: String) -> Bool {
    // the answer to QUIT says nothing about the mail
    guard !isOver else { return true }
    guard conversation.hear(line) else { return !conversation.isEndless }
    lacksUTF8 = transfer.text.needsUTF8 && conversation.offersUTF8 == false
    return !lacksUTF8
  }

  /// Called when libcurl sends a command.
  private func say(_ command: UnsafeRawBufferPointer) {
    guard command.starts(with: "QUIT".utf8) else { return }
    isOver = true
    // the caller waits for this answer, too, although the outcome is known
    curl_set_long(easy, CURLOPT_SERVER_RESPONSE_TIMEOUT, 1)
  }

  /// Whether the connection is or was established.
  var isConnected: Bool { conversation.code != nil || curl_get_long(easy, CURLINFO_LOCAL_PORT) > 0 }

  /// Has libcurl end the mail at its next callback, at once or within a second. If regd removed the handle instead,
  /// libcurl would
  /// write the end of the text after the part already sent (smtp_done), and the server would deliver a truncated
  /// mail.
  func end(_ end: SMTPOutcome.End) { ending = ending ?? end }

  private var isToEnd: Bool { ending != nil || transfer.isCancelled }

  // MARK: Afterwards

  /// Must be called while the handle is still with the multi.
  func outcome(_ result: CURLcode) -> SMTPOutcome {
    let text = String(cString: errorText)
    let words = text.isEmpty && result != CURLE_OK ? String(cString: curl_easy_strerror(result)) : text
    if result == CURLE_ABORTED_BY_CALLBACK { return outcome(ending ?? .cancelled, words) }
    return outcome(lacksUTF8 ? .unsupported : SMTPOutcome.End(result, text, code: conversation.code), words)
  }

  private func outcome(_ end: SMTPOutcome.End, _ message: String) -> SMTPOutcome {
    SMTPOutcome(
      end, code: conversation.code, words: conversation.words, isHandedOver: isHandedOver, message: message)
  }
}
