internal import JSONRPC
internal import Localization
internal import Reasons
internal import Registration
internal import WireFormats
internal import WireProtocols

/// `audit.head`, `audit.prove` and `audit.consistency`: the tree of the audit, with which anyone can verify that the audit's past
/// was not changed.
enum AuditMethods {
  private static let entry = Parameter(
    "entry", .integer, required: true, "The number of the entry, as events.list returns it.", .between(1, nil))
  private static let size = Parameter(
    "size", .integer, required: true, "The size of the tree, from a head.", .between(0, nil))
  private static let from = Parameter(
    "from", .integer, required: true, "The size of the smaller tree, from a head.", .between(0, nil))
  private static let to = Parameter(
    "to", .integer, required: true, "The size of the larger tree, from a head.", .between(0, nil))

  static func all(_ auditor: Auditor) -> [Method] { [head(auditor), prove(auditor), consistency(auditor)] }

  private static func head(_ auditor: Auditor) -> Method {
    Method(
      "audit.head", "Returns a signed head of the audit's tree: its present size and root.", access: .observe,
      result: .named(
        "AuditHead",
        .object(
          .init("size", .integer("The number of entries in the tree.")),
          .init("root", .string("The SHA-256 root of the tree, in base64.")),
          .init("time", .time("When the head was signed.")),
          .init("key", .string("The Ed25519 public key, in base64.")),
          .init("signature", .string("The signature of size, root and time as canonical JSON, in base64.")))),
      errors: ErrorReason.ofStore, repetition: .yes,
      .suspending { _, _ in
        return { _ async in await OutcomeReplies.storing(reply(try await auditor.head())) }
      })
  }

  private static func reply(_ head: AuditHead) -> Reply {
    .object { writer in
      writer.member("size", head.size)
      writer.member("root", Base64.encoded(head.root))
      writer.member("time", head.time.rfc3339)
      writer.member("key", Base64.encoded(head.key))
      writer.member("signature", Base64.encoded(head.signature))
    }
  }

  private static func prove(_ auditor: Auditor) -> Method {
    Method(
      "audit.prove", "Proves that the audit's tree of some size has an entry (RFC 9162, section 2.1.3).",
      access: .observe, parameters: [entry, size],
      result: .object(
        .init("index", .integer("The entry's place in the tree, from 0 on.")),
        .init("leaf", .string("The bytes of the leaf: the entry as canonical JSON.")), path),
      errors: ErrorReason.ofStore, repetition: .yes,
      .suspending { parameters, _ throws(RPCError) in
        guard let number = parameters[entry]?.integer, number > 0 else { throw unknownEntry }
        let size = try read(size, parameters)
        return { _ async in
          await OutcomeReplies.storing(reply(try await auditor.proof(of: Int(number), in: size)))
        }
      })
  }

  private static func reply(_ answer: AuditAnswer<AuditInclusion>) -> Reply {
    switch answer {
    case .found(let proof):
      .object { writer in
        writer.member("index", proof.index)
        writer.member("leaf", String(decoding: proof.leaf, as: UTF8.self))
        write(proof.path, to: &writer)
      }
    case .beyond: .error(isBeyond(size))
    case .unknown: .error(unknownEntry)
    }
  }

  private static func consistency(_ auditor: Auditor) -> Method {
    Method(
      "audit.consistency",
      "Proves that the audit's tree of one size begins with the tree of another size (RFC 9162, section 2.1.4).",
      access: .observe, parameters: [from, to], result: .object(path), errors: ErrorReason.ofStore, repetition: .yes,
      .suspending { parameters, _ throws(RPCError) in
        let (from, to) = (try read(from, parameters), try read(to, parameters))
        guard from <= to else { throw isGreater }
        return { _ async in
          await OutcomeReplies.storing(reply(try await auditor.consistency(from: from, to: to)))
        }
      })
  }

  private static func reply(_ answer: AuditAnswer<[[UInt8]]>) -> Reply {
    switch answer {
    case .found(let path): .object { write(path, to: &$0) }
    case .beyond: .error(isBeyond(to))
    case .unknown: .error(isGreater)
    }
  }

  private static let path = Schema.Member("path", .array(.string(""), "The hashes of the proof, in base64."))

  private static func write(_ path: [[UInt8]], to writer: inout JSONWriter) {
    writer.array("path") { writer in for hash in path { writer.value(Base64.encoded(hash)) } }
  }

  /// Reads the size of a tree.
  private static func read(_ parameter: Parameter, _ parameters: borrowing Parameters) throws(RPCError) -> Int {
    guard let size = parameters[parameter]?.integer, size >= 0 else { throw isBeyond(parameter) }
    return Int(size)
  }

  private static func isBeyond(_ size: Parameter) -> RPCError {
    let name = "\(size.name)"
    return .invalidParams(LocalizedMessage(ParameterMessageKey.auditSize, ["name": .text(name)]), field: name)
  }

  private static var unknownEntry: RPCError {
    .invalidParams(LocalizedMessage(ParameterMessageKey.auditEntry), field: "entry")
  }

  private static var isGreater: RPCError {
    .invalidParams(LocalizedMessage(ParameterMessageKey.auditFrom), field: "from")
  }
}
