internal import ArgumentParser
internal import AuditVerification
internal import Linux
internal import Localization
internal import RegctlCommandLine
internal import RegdClient
internal import UserMessages

/// `regctl audit`: prints heads of the audit, verifies the audit, and proves that it has an entry.
struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: .said(AuditHelp.abstract),
    subcommands: [Head.self, AuditVerifyCommand.self, Prove.self])

  /// `regctl audit head`: prints the present head, and stores it.
  struct Head: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "head", abstract: .said(AuditHelp.head), discussion: .said(AuditHelp.headMore))
    @Option(help: .said(AuditHelp.append, valueName: "file")) var append: String?
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      let audit = RegdAudit(try connection.conversation())
      let head = try AuditCommand.answer { () throws(AuditFailure) in try audit.head() }
      if let append {
        do throws(SystemError) { try HeadsFile.append(head, to: append) } catch {
          throw Refusal(FailureMessageKey.cannotWriteFile, ["file": .text(append), "reason": .text(error.text)])
        }
      }
      Terminal.print(head.text)
    }
  }

  /// `regctl audit prove`: prints a proof that the tree has an entry, and checks it.
  struct Prove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "prove", abstract: .said(AuditHelp.prove), discussion: .said(AuditHelp.proveMore))
    @Argument(help: .said(AuditHelp.entry, valueName: "number")) var entry: Int
    @Option(help: .said(AuditHelp.size, valueName: "entries")) var size: Int?
    @OptionGroup var connection: ConnectionOptions

    func run() throws {
      let audit = RegdAudit(try connection.conversation())
      let (proof, source) = try AuditCommand.answer { () throws(AuditFailure) in try prove(audit) }
      Terminal.print(source.text)
      let isProved = try AuditCommand.answer { () throws(AuditFailure) in try check(proof, audit) }
      guard isProved else { throw Refusal(AuditMessageKey.notProved, ["entry": .text("\(entry)")]) }
      connection.say(AuditMessageKey.proved, ["entry": .text("\(entry)"), "size": .number(proof.size)])
    }

    /// Asks for the proof. Returns it also as regd sent it.
    private func prove(_ audit: RegdAudit) throws(AuditFailure) -> (InclusionProof, JSONValue) {
      if let size { return try audit.proofOrRefusal(of: entry, size: size) }
      return try audit.proofOrRefusal(of: entry, size: audit.head().size)
    }

    /// Whether the proof leads from the entry to the present head, through the tree of the proof's size.
    private func check(_ proof: InclusionProof, _ audit: RegdAudit) throws(AuditFailure) -> Bool {
      guard JSONValue(proof.leaf)?["entry"]?.integer == entry, let root = proof.root(of: proof.leafHash) else {
        return false
      }
      // read after the proof, so that its tree is at least as large as that of the proof
      let head = try audit.head()
      guard head.isSigned else { return false }
      if head.size == proof.size { return head.root == root }
      return try audit.consistency(from: proof.size, to: head.size).connects(root, head.root)
    }
  }

  /// Asks for a part of the audit.
  ///
  /// - Throws: What every command that calls regd throws: `RegdClientFailure`, `RegdError` or `Refusal`.
  static func answer<Answer>(_ ask: () throws(AuditFailure) -> Answer) throws -> Answer {
    do throws(AuditFailure) { return try ask() } catch {
      switch error {
      case .noAnswer(let failure): throw failure
      case .refused(let refusal): throw refusal
      case .unexpected, .outOfOrder: throw Refusal(message: Speech.text(error.sentence))
      }
    }
  }
}
