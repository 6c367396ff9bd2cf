package import Localization
internal import Registration

/// The messages for people about why a file could not be read to its end.
extension SourceFailure {
  package func sentence(_ file: String) -> LocalizedMessage {
    let file = LocalizedMessage.Content.text(file)
    return switch self {
    case .unreadable(let line, let text):
      LocalizedMessage(ExportMessageKey.unreadable, ["file": file, "line": .number(line), "reason": .text(text)])
    case .notText(let kind): LocalizedMessage(kind.key, ["file": file])
    case .nothing: LocalizedMessage(ExportMessageKey.nothing, ["file": file])
    case .truncated(let line): LocalizedMessage(ExportMessageKey.truncated, ["file": file, "line": .number(line)])
    case .openQuote(let line): LocalizedMessage(ExportMessageKey.openQuote, ["file": file, "line": .number(line)])
    case .notJSON(let line, let expected):
      LocalizedMessage(expected.key, ["file": file, "line": .number(line)])
    case .csvForJSON: LocalizedMessage(ExportMessageKey.csvForJSON, ["file": file])
    case .noArray(let name): LocalizedMessage(ExportMessageKey.noArray, ["file": file, "name": .text(name)])
    case .columns(let fault): fault.sentence(file)
    case .noTable(let table): LocalizedMessage(ExportMessageKey.noTable, ["file": file, "table": .text(table)])
    case .insertions(let table): LocalizedMessage(ExportMessageKey.insertions, ["file": file, "table": .text(table)])
    }
  }
}

extension SourceFailure.PartOfJSON {
  fileprivate var key: ExportMessageKey {
    switch self {
    case .object: .noObject
    case .member: .noMember
    case .colon: .noColon
    case .comma: .noComma
    }
  }
}

extension SourceFailure.Kind {
  fileprivate var key: ExportMessageKey {
    switch self {
    case .utf16: .utf16
    case .compressed: .compressed
    case .database: .database
    case .binary: .binary
    }
  }
}

extension SourceFailure.ColumnFault {
  fileprivate func sentence(_ file: LocalizedMessage.Content) -> LocalizedMessage {
    switch self {
    case .missing(let name): LocalizedMessage(ExportMessageKey.columnMissing, ["file": file, "name": .text(name)])
    case .twice(let name): LocalizedMessage(ExportMessageKey.columnTwice, ["file": file, "name": .text(name)])
    case .unknown(let name, let known):
      LocalizedMessage(
        ExportMessageKey.columnUnknown,
        ["file": file, "name": .text(name), "names": .text(known.joined(separator: ", "))])
    case .unreadable: LocalizedMessage(ExportMessageKey.columnsUnreadable, ["file": file])
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

  /// The message for a person. It shows neither a hash nor text that may be a password.
  ///
  /// - Parameter files: The names of the imported files.
  package func sentence(_ files: [String]) -> LocalizedMessage {
    switch self {
    case .tooLarge: LocalizedMessage(RecordMessageKey.tooLarge, ["count": .number(RecordLimit.bytes / 1024)])
    case .notUTF8: LocalizedMessage(RecordMessageKey.notUTF8)
    case .malformed(let form): form.sentence
    case .change: LocalizedMessage(RecordMessageKey.change)
    case .noAddress: LocalizedMessage(RecordMessageKey.noAddress)
    case .addresses(let count): LocalizedMessage(RecordMessageKey.addresses, ["count": .number(count)])
    case .bareName: LocalizedMessage(RecordMessageKey.bareName)
    case .address(_, let sentence), .displayName(_, let sentence): sentence
    case .duplicate(let others, let more):
      LocalizedMessage(
        more > 0 ? RecordMessageKey.duplicateOfMore : .duplicate,
        ["places": .joined(others.map { .sentence($0.sentence(files)) }), "count": .number(more)])
    case .noPassword: LocalizedMessage(RecordMessageKey.noPassword)
    case .passwords(let count): LocalizedMessage(RecordMessageKey.passwords, ["count": .number(count)])
    case .clearPassword: LocalizedMessage(RecordMessageKey.clearPassword)
    case .family(let name): LocalizedMessage(RecordMessageKey.family, ["family": .text(name)])
    case .hash(let problem): problem.sentence
    case .time(let text): LocalizedMessage(RecordMessageKey.time, ["text": .text(text)])
    case .unproven: LocalizedMessage(RecordMessageKey.unproven)
    case .deleted: LocalizedMessage(RecordMessageKey.deleted)
    case .machine: LocalizedMessage(RecordMessageKey.machine)
    case .state(let text): LocalizedMessage(RecordMessageKey.state, ["text": .text(text)])
    case .groups: LocalizedMessage(RecordMessageKey.groups, ["limit": .number(Groups.most)])
    }
  }
}

extension RecordRefusal.Form {
  fileprivate var sentence: LocalizedMessage {
    switch self {
    case .json: LocalizedMessage(RecordMessageKey.json)
    case .ldif: LocalizedMessage(RecordMessageKey.ldif)
    case .base64: LocalizedMessage(RecordMessageKey.base64)
    case .colons: LocalizedMessage(RecordMessageKey.colons)
    case .quote: LocalizedMessage(RecordMessageKey.quote)
    case .columns(let seen, let expected):
      LocalizedMessage(RecordMessageKey.columns, ["count": .number(seen), "expected": .number(expected)])
    case .member(let name): LocalizedMessage(RecordMessageKey.member, ["name": .text(name)])
    }
  }
}

extension RecordPlace {
  /// The place as `file:line`, in the notation of editors and compilers, and with the record's number, because a JSON
  /// text may be one line.
  package func sentence(_ files: [String]) -> LocalizedMessage {
    LocalizedMessage(
      RecordMessageKey.place,
      [
        "file": .text(files.indices.contains(file) ? files[file] : "?"), "line": .number(line),
        "number": .number(number),
      ])
  }
}
