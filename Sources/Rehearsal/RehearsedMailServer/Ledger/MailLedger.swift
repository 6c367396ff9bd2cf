/// A mail server's record of its mails, its connections, and its clients' violations of the protocol.
package struct MailLedger: Equatable, Sendable {
  /// The accepted mails, in order. A mail that arrived twice is in the list twice.
  package internal(set) var mails: [ReceivedMail] = []
  /// Connections served since the server's start.
  package internal(set) var connections = 0
  /// The number of RCPT commands for each recipient since the server's start, including refused ones.
  package internal(set) var tries: [String: Int] = [:]
  /// Violations of the protocol, in words and without secrets. A correct client causes none.
  package internal(set) var complaints: [String] = []

  init() {}

  /// The mails to an address, in order.
  package func mails(to address: String) -> [ReceivedMail] { mails.filter { $0.recipients.contains(address) } }
}
