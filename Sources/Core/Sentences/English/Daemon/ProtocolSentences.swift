/// Sentences about JSON-RPC itself: the text is not a request, or no method accepts the request.
package enum RPCSentence: String, SentenceKey {
  /// `expected` is a case of `JSONSentence`.
  case parse = "rpc.parse: This is not JSON: at byte {offset}, expected {expected}."
  case headerWithoutLength =
    "rpc.headerWithoutLength: This is not JSON: a header block without Content-Length; right is Content-Length: N, an empty line, N bytes."
  case headerWithTwoLengths =
    "rpc.headerWithTwoLengths: This is not JSON: Content-Length stands in the header block twice."
  case headerLength =
    "rpc.headerLength: This is not JSON: Content-Length must be a whole number of bytes, written in digits."
  case headerLine = "rpc.headerLine: This is not JSON: a line of the header block is not Name: value."
  case headerTooLarge = "rpc.headerTooLarge: This is not JSON: a header block may have at most {limit} bytes."
  case headerUnfinished = "rpc.headerUnfinished: This is not JSON: the header block has no end."
  /// Follows one of the sentences above, for the last invalid text before the connection is closed.
  case parseLast = "rpc.parseLast: It is the {count}th text in a row that is not; the connection is closed."
  /// Precedes an example, a line of JSON, for a program that speaks HTTP.
  case http = "rpc.http: This socket speaks JSON-RPC 2.0, not HTTP. Send one JSON text a line, for example"
  /// Follows the example of `http`.
  case httpHeaders = "rpc.httpHeaders: or the same after a Content-Length header, as language servers do."
  case requestObject = "rpc.requestObject: This is not a JSON-RPC 2.0 request: it must be an object."
  case requestID = "rpc.requestID: This is not a JSON-RPC 2.0 request: \"id\" must be a string, a number or null."
  case requestVersion = "rpc.requestVersion: This is not a JSON-RPC 2.0 request: \"jsonrpc\" must be \"2.0\"."
  case requestMethod = "rpc.requestMethod: This is not a JSON-RPC 2.0 request: \"method\" must be a string."
  case requestParams =
    "rpc.requestParams: This is not a JSON-RPC 2.0 request: \"params\" must be an object or an array."
  case emptyBatch = "rpc.emptyBatch: This is not a JSON-RPC 2.0 request: the batch is empty."
  case duplicateID =
    "rpc.duplicateID: This is not a JSON-RPC 2.0 request: its \"id\" is that of a request that has no reply yet."
  case longID = "rpc.longID: This is not a JSON-RPC 2.0 request: its \"id\" may have at most {limit} bytes."
  case methodNotFound = "rpc.methodNotFound: There is no method \"{method}\"."
  case `internal` = "rpc.internal: regd could not do this because of a fault of its own."
}

/// The kinds of JSON that a parser expects at a byte. They are the values of `expected` in `RPCSentence.parse`, and are used
/// nowhere else.
package enum JSONSentence: String, SentenceKey {
  case endOfText = "json.endOfText: the end of the text"
  case value = "json.value: a value"
  case valueOrBracket = "json.valueOrBracket: a value or a closing bracket"
  case nameOrBrace = "json.nameOrBrace: a member name or a closing brace"
  case name = "json.name: a member name"
  case separatorOrEnd = "json.separatorOrEnd: a comma or the end of the array or object"
  case commaOrBrace = "json.commaOrBrace: a comma or a closing brace"
  case commaOrBracket = "json.commaOrBracket: a comma or a closing bracket"
  case nameOnce = "json.nameOnce: each member name only once in an object"
  case literalTrue = "json.literalTrue: the literal true"
  case literalFalse = "json.literalFalse: the literal false"
  case literalNull = "json.literalNull: the literal null"
  case colon = "json.colon: a colon"
  case digit = "json.digit: a digit"
  case quote = "json.quote: a closing quote"
  case escape = "json.escape: an escape"
  case escapedControl = "json.escapedControl: an escape, since control characters must be escaped in a string"
  case knownEscape = "json.knownEscape: one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u"
  case highSurrogate = "json.highSurrogate: a high surrogate before this low one"
  case lowSurrogate = "json.lowSurrogate: a low surrogate after this high one"
  case hexadecimal = "json.hexadecimal: four hexadecimal digits"
  case utf8 = "json.utf8: valid UTF-8"
}

/// Sentences about the params of a request. `name` is the name of the wrong member.
package enum ParameterSentence: String, SentenceKey {
  case missing = "parameter.missing: \"{name}\" is missing."
  case string = "parameter.string: \"{name}\" must be a string."
  case boolean = "parameter.boolean: \"{name}\" must be a boolean."
  case integer = "parameter.integer: \"{name}\" must be an integer."
  case object = "parameter.object: \"{name}\" must be an object."
  case array = "parameter.array: \"{name}\" must be an array."
  case id = "parameter.id: \"{name}\" must be a string or a number."
  /// `parameters` is a list of names, each in quotes.
  case unknown = "parameter.unknown: \"{name}\" is not a parameter here; it takes {parameters}."
  case unknownOfNone = "parameter.unknownOfNone: \"{name}\" is not a parameter here; this method takes none."
  case tooMany = "parameter.tooMany: There are too many parameters; it takes {parameters}."
  case tooManyOfNone = "parameter.tooManyOfNone: There are too many parameters; this method takes none."
  case accountID = "parameter.accountID: \"id\" must be a UUID, as 0192d3a4-7c1e-7b32-9f00-0123456789ab."
  case accountMissing = "parameter.accountMissing: Which account is meant needs \"id\" or \"email\"."
  case accountTwice = "parameter.accountTwice: \"id\" and \"email\" are two ways to say one thing; give one."
  case listedMail = "parameter.listedMail: \"id\" must be a UUID, as mail.list has it."
  case listedRegistration = "parameter.listedRegistration: \"id\" must be a UUID, as outbox.list has it."
  case pageLimit = "parameter.pageLimit: \"limit\" must be a whole number from 1 to {maximum}."
  case pageAfter = "parameter.pageAfter: \"after\" must be a UUID: the \"next\" of the page before."
  case pageAfterClaim = "parameter.pageAfterClaim: \"after\" must be the id of a claim: 32 hexadecimal digits."
  case pageAfterEntry = "parameter.pageAfterEntry: \"after\" must not be negative."
  case records = "parameter.records: \"records\" may have at most {limit} records; import the others with another call."
  case origin = "parameter.origin: \"origin\" may have at most {limit} bytes."
  case requestID =
    "parameter.requestID: \"requestId\" must have 1 to {maximum} bytes and no control characters; a UUID is a good one."
  case milliseconds = "parameter.milliseconds: \"milliseconds\" must be from 1 to {maximum}."
  case formKind = "parameter.formKind: \"kind\" must be \"registration\" or \"signIn\" or \"recovery\"."
  case formField = "parameter.formField: \"{name}\" may have at most {limit} bytes in a form."
  case accountState = "parameter.accountState: \"state\" must be \"active\", \"pending\", \"disabled\" or \"waiting\"."
  case newAccountState = "parameter.newAccountState: \"state\" must be \"active\" or \"disabled\" for a new account."
  case invitationID = "parameter.invitationID: \"id\" must be a UUID, as invitation.list has it."
  case invitationUses = "parameter.invitationUses: \"uses\" must be a whole number from 1 to {maximum}."
  case invitationUsesOfOne =
    "parameter.invitationUsesOfOne: \"uses\" must be 1 for an invitation that has an \"email\"."
  case invitationLife = "parameter.invitationLife: \"expiresSeconds\" must be a whole number from 1 to {maximum}."
  case invitationNote = "parameter.invitationNote: \"note\" may have at most {limit} bytes, and no U+0000."
  case invitationTwice = "parameter.invitationTwice: An invitation is for an \"email\" or for a \"domain\"; give one."
  case invitationSend = "parameter.invitationSend: An invitation that is sent by mail needs an \"email\"."
}
