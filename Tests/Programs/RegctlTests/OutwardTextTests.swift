import RegdProcesses
import TestDoubles
import TestKit
import Testing

/// Lists all places where text leaves regd or regctl for another program, and the writer that prevents a value from
/// ending its line, field or header there. A new place fails here until it has a writer and a row.
@Suite("Text for other programs", .blocking, .timeLimit(.minutes(10)))
struct OutwardTextTests {
  /// By source file: the writer for every value, as a name that must occur in the file, and the tests of the writer.
  private static let writers: [(file: String, writer: String, tests: String)] = [
    // doors: protocols of other programs
    ("Core/Doors/HTTP/HTTPLoginProtocol.swift", "HTTPAnswer(", "Core/DoorsTests/HTTP/HTTPAnswerTests.swift"),
    (
      "Core/Doors/Dovecot/DovecotLoginProtocol.swift", "TabEscape.escaped(",
      "Core/DoorsTests/Dovecot/DovecotExchangeTests.swift"
    ),
    (
      "Core/Doors/Saslauthd/SaslauthdLoginProtocol.swift", "text.count >> 8",
      "Core/DoorsTests/Saslauthd/SaslauthdLoginProtocolTests.swift"
    ),
    (
      "Core/Doors/Socketmap/SocketmapLoginProtocol.swift", "Netstring.of(",
      "Core/DoorsTests/Socketmap/SocketmapLoginProtocolTests.swift"
    ),
    ("Adapters/LDAPDoor/LDAPLoginProtocol.swift", "", "Adapters/LDAPDoorTests/OtherRequestTests.swift"),
    // helpers that other programs start
    (
      "Client/DoorHelpers/Programs/SquidProtocol.swift", "Self.message(",
      "Client/DoorHelpersTests/SquidProtocolTests.swift"
    ),
    (
      "Client/DoorHelpers/Programs/EjabberdProtocol.swift", "write(",
      "Client/DoorHelpersTests/EjabberdProtocolTests.swift"
    ),
    (
      "Client/DoorHelpers/Asking/HelperSession.swift", "takeOutput()",
      "Client/DoorHelpersTests/SquidProtocolTests.swift"
    ),
    // a program's environment: the key of an address has no control character
    (
      "Programs/regd-login/HelperRun.swift", "AccountName.of(",
      "Programs/RegctlTests/Doors/HelperCommandTests.swift"
    ),
    // syslog: the operator's arguments, and reasons, which are names
    ("C/PamRegd/pam_regd.c", "answer.reason", "Programs/RegctlTests/Doors/PAMTests.swift"),
    // the upstream, the mail system
    ("Adapters/HTTPNetwork/RunningTransfer.swift", "request.path", "Adapters/HTTPNetworkTests/RequestTests.swift"),
    ("Adapters/SMTPMail/RunningMail.swift", "transfer.text", "Core/MailCompositionTests/MailTextTests.swift"),
    ("Adapters/LocalMail/Sendmail/SendmailRun.swift", "arguments", "Core/MailCompositionTests/MailTextTests.swift"),
    ("Adapters/LocalMail/File/FileMail.swift", "MailText", "Core/MailCompositionTests/MailTextTests.swift"),
    // systemd
    ("Adapters/Systemd/ServiceManager.swift", "Self.line(", "Adapters/SystemdTests/SystemdTests.swift"),
    ("Adapters/Systemd/Journal.swift", "fields", "Daemon/DaemonTests/LogFormatTests.swift"),
    // regd, in JSON
    ("Client/RegdClient/RegdConnection.swift", "", "Client/RegdClientTests/RegdClientTests.swift"),
    // terminals, files and pipes of users
    ("Programs/UserMessages/Terminal.swift", "HarmlessText.lines(", "Programs/RegctlTests/HarmlessOutputTests.swift"),
    (
      "Programs/regctl/Terminal+Asking.swift", "HarmlessText.lines(", "Programs/RegctlTests/HarmlessOutputTests.swift"
    ),
    ("Client/AuditVerification/HeadsFile.swift", "head.text", "Client/AuditVerificationTests/HeadTests.swift"),
    ("Client/FullScreen/TerminalScreen.swift", "", "Client/FullScreenTests/DrawingTests.swift"),
    (
      "Programs/regctl/Administration/ExportCommand.swift", "HarmlessText.lines(",
      "Client/AccountImportTests/ExportTests.swift"
    ),
    (
      "Programs/regctl/AccountImport/RefusalReport.swift", "JSONValue.object(",
      "Client/AccountImportTests/ExportTests.swift"
    ),
    ("Programs/regctl/MetricsCommand.swift", "ScrapeAnswer", "Programs/RegctlTests/MetricsTests.swift"),
    // keyed hashes and numbers, in a file that only regd reads
    (
      "Daemon/Daemon/Parts/KnownClientFile.swift", "kept.bytes(",
      "Core/RegistrationTests/SigningIn/Throttling/KeptClientTests.swift"
    ),
    // no values from outside
    ("Programs/regctl/Doctor/Looking/DoorLook+Asking.swift", "", ""), ("Programs/regctl/OtherProgram.swift", "", ""),
    ("Programs/regd-manual/Pages/ManualPage.swift", "", ""), ("Programs/regd-simulate/Progress.swift", "", ""),
  ]

  @Test("every place that sends text to other programs is listed here")
  func listed() throws {
    let calls = [
      "[^.a-z]setenv\\(", "ThisProcess\\.become\\(", "sd_notify\\(", "send_to_journal\\(", "pam_syslog\\(",
      "\\.writeAll\\(",
      "\\.sendAll\\(", "Swift\\.print\\(", "CURLOPT_(URL|MAIL_FROM|MAIL_RCPT|HTTPHEADER)", "ChildProcess\\.start",
      "struct [A-Za-z]+: (LoginProtocol|HelperProtocol)\\b",
    ]
    let command = """
      cd \(Places.root)/Sources && grep -rlE '\(calls.joined(separator: "|"))' \
      Adapters C/PamRegd Client Core Daemon Programs --include='*.swift' --include='*.c'
      """
    let (status, output) = try Shell.run(command, "")
    #expect(status == 0)
    let found = Set(output.split(separator: "\n").map { String($0) })
    let known = Set(Self.writers.map(\.file))
    #expect(found.subtracting(known).sorted() == [], "places without a writer")
    #expect(known.subtracting(found).sorted() == [], "rows without a place")
  }

  @Test("each place uses its writer, and each writer has tests", arguments: writers.indices)
  func used(_ index: Int) throws {
    let (file, writer, tests) = Self.writers[index]
    let text = try #require(TextFile.read("\(Places.root)/Sources/\(file)"))
    #expect(writer.isEmpty || text.contains(writer), "\(file) does not use \(writer)")
    #expect(tests.isEmpty || TextFile.read("\(Places.root)/Tests/\(tests)") != nil, "\(tests) is missing")
  }
}
