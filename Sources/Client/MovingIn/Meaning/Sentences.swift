internal import Registration
package import Sentences

/// The messages for people about why a file could not be read to its end.
extension SourceFailure {
  package func sentence(_ file: String) -> Sentence {
    let file = Sentence.Content.text(file)
    return switch self {
    case .unreadable(let line, let text):
      Sentence(ExportSentence.unreadable, ["file": file, "line": .number(line), "reason": .text(text)])
    case .notText(let kind): Sentence(kind.key, ["file": file])
    case .nothing: Sentence(ExportSentence.nothing, ["file": file])
    case .truncated(let line): Sentence(ExportSentence.truncated, ["file": file, "line": .number(line)])
    case .openQuote(let line): Sentence(ExportSentence.openQuote, ["file": file, "line": .number(line)])
    case .notJSON(let line, let expected):
      Sentence(expected.key, ["file": file, "line": .number(line)])
    case .csvForJSON: Sentence(ExportSentence.csvForJSON, ["file": file])
    case .noArray(let name): Sentence(ExportSentence.noArray, ["file": file, "name": .text(name)])
    case .columns(let fault): fault.sentence(file)
    case .noTable(let table): Sentence(ExportSentence.noTable, ["file": file, "table": .text(table)])
    case .insertions(let table): Sentence(ExportSentence.insertions, ["file": file, "table": .text(table)])
    }
  }
}

extension SourceFailure.PartOfJSON {
  fileprivate var key: ExportSentence {
    switch self {
    case .object: .noObject
    case .member: .noMember
    case .colon: .noColon
    case .comma: .noComma
    }
  }
}

extension SourceFailure.Kind {
  fileprivate var key: ExportSentence {
    switch self {
    case .utf16: .utf16
    case .compressed: .compressed
    case .database: .database
    case .binary: .binary
    }
  }
}

extension SourceFailure.ColumnFault {
  fileprivate func sentence(_ file: Sentence.Content) -> Sentence {
    switch self {
    case .missing(let name): Sentence(ExportSentence.columnMissing, ["file": file, "name": .text(name)])
    case .twice(let name): Sentence(ExportSentence.columnTwice, ["file": file, "name": .text(name)])
    case .unknown(let name, let known):
      Sentence(
        ExportSentence.columnUnknown,
        ["file": file, "name": .text(name), "names": .text(known.joined(separator: ", "))])
    case .unreadable: Sentence(ExportSentence.columnsUnreadable, ["file": file])
    }
  }
}

extension RecordRefusal {
  /// The reason's stable name, for programs that read a report.
  package var reason: String {
    switch self {
    case .tooLarge: "record.tooLarge"
    case .notUTF8: "record.encoding"
    case .malformed, .change: "record.invalid"
    case .noAddress, .bareName: "email.missing"
    case .addresses: "email.ambiguous"
    case .address(let reason, _): reason
    case .duplicate: "email.duplicate"
    case .noPassword: "hash.missing"
    case .passwords: "hash.ambiguous"
    case .clearPassword, .family: "hash.unsupported"
    case .hash(let problem): problem.reason.rawValue
    case .time: "createdAt.invalid"
    case .unproven: "account.unproven"
    case .deleted: "account.deleted"
    case .machine: "account.machine"
    case .state: "state.invalid"
    case .groups: "groups.invalid"
    case .displayName(let reason, _): reason
    }
  }

  /// The sentence for a person. It shows neither a hash nor text that may be a password.
  ///
  /// - Parameter files: The names of the imported files.
  package func sentence(_ files: [String]) -> Sentence {
    switch self {
    case .tooLarge: Sentence(RecordSentence.tooLarge, ["count": .number(RecordLimit.bytes / 1024)])
    case .notUTF8: Sentence(RecordSentence.notUTF8)
    case .malformed(let form): form.sentence
    case .change: Sentence(RecordSentence.change)
    case .noAddress: Sentence(RecordSentence.noAddress)
    case .addresses(let count): Sentence(RecordSentence.addresses, ["count": .number(count)])
    case .bareName: Sentence(RecordSentence.bareName)
    case .address(_, let sentence), .displayName(_, let sentence): sentence
    case .duplicate(let others, let more):
      Sentence(
        more > 0 ? RecordSentence.duplicateOfMore : .duplicate,
        ["places": .joined(others.map { .sentence($0.sentence(files)) }), "count": .number(more)])
    case .noPassword: Sentence(RecordSentence.noPassword)
    case .passwords(let count): Sentence(RecordSentence.passwords, ["count": .number(count)])
    case .clearPassword: Sentence(RecordSentence.clearPassword)
    case .family(let name): Sentence(RecordSentence.family, ["family": .text(name)])
    case .hash(let problem): problem.sentence
    case .time(let text): Sentence(RecordSentence.time, ["text": .text(text)])
    case .unproven: Sentence(RecordSentence.unproven)
    case .deleted: Sentence(RecordSentence.deleted)
    case .machine: Sentence(RecordSentence.machine)
    case .state(let text): Sentence(RecordSentence.state, ["text": .text(text)])
    case .groups: Sentence(RecordSentence.groups, ["limit": .number(Groups.most)])
    }
  }
}

extension RecordRefusal.Form {
  fileprivate var sentence: Sentence {
    switch self {
    case .json: Sentence(RecordSentence.json)
    case .ldif: Sentence(RecordSentence.ldif)
    case .base64: Sentence(RecordSentence.base64)
    case .colons: Sentence(RecordSentence.colons)
    case .quote: Sentence(RecordSentence.quote)
    case .columns(let seen, let expected):
      Sentence(RecordSentence.columns, ["count": .number(seen), "expected": .number(expected)])
    case .member(let name): Sentence(RecordSentence.member, ["name": .text(name)])
    }
  }
}

extension RecordPlace {
  /// The place as `file:line`, in the notation of editors and compilers, and with the record's number, because a JSON
  /// text may be one line.
  package func sentence(_ files: [String]) -> Sentence {
    Sentence(
      RecordSentence.place,
      [
        "file": .text(files.indices.contains(file) ? files[file] : "?"), "line": .number(line),
        "number": .number(number),
      ])
  }
}
