import Linux
import RehearsedMailServer
import TestDoubles
import TestKit

/// The mail that tests send.
let plainMail =
  "From: regd@example.org\r\nTo: a@b.cd\r\nMessage-ID: <1@example.org>\r\nSubject: Hello\r\n\r\nYour code: 123456\r\n"

/// Sends a mail as curl(1) does.
///
/// - Returns: curl's exit status.
func curl(
  _ server: MailServer, _ directory: String, to recipient: String = "a@b.cd", _ options: [String] = [],
  mail: String = plainMail
) throws -> Int32 {
  let file = "\(directory)/mail-\(server.ledger.connections)"
  try FileWriting.write(mail, to: file, permissions: 0o600)
  let caFile = server.caFile.map { ["--cacert", $0] } ?? []
  let words = ["--silent", "--noproxy", "*", "--mail-from", "regd@example.org", "--mail-rcpt", recipient]
  let all = (words + caFile + options).map { "'\($0)'" }.joined(separator: " ")
  // The path is the name for EHLO. Without it, curl uses the machine's name.
  return Int32(try lines(of: "curl \(all) --upload-file '\(file)' '\(server.url)/client.example'; echo $?").last ?? "")
    ?? -1
}
