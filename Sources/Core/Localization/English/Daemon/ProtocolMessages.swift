/// Messages about JSON-RPC itself: the text is not a request, or no method accepts the request.
package enum RPCMessageKey: String, MessageKey {
  /// `expected` is a case of `JSONMessageKey`.
  case parse = "rpc.parse: Invalid JSON: expected {expected} at byte {offset}."
  case headerWithoutLength =
    "rpc.headerWithoutLength: Invalid header block: Content-Length is missing. Send Content-Length: N, an empty line, and N bytes of JSON."
  case headerWithTwoLengths = "rpc.headerWithTwoLengths: Invalid header block: Content-Length appears twice."
  case headerLength =
    "rpc.headerLength: Invalid header block: Content-Length must be a whole number of bytes, written in digits."
  case headerLine = "rpc.headerLine: Invalid header block: each line must have the form Name: value."
  case headerTooLarge = "rpc.headerTooLarge: Invalid header block: a header block may be at most {limit} bytes long."
  case headerUnfinished =
    "rpc.headerUnfinished: Invalid header block: the input ended before the empty line that ends the block."
  /// Follows one of the messages above, for the last invalid text before the connection is closed.
  case parseLast = "rpc.parseLast: regd is closing the connection because {count} messages in a row were invalid."
  /// Precedes an example, a line of JSON, for a program that speaks HTTP.
  case http = "rpc.http: This is a JSON-RPC 2.0 socket, not an HTTP server. Send one JSON text per line, for example:"
  /// Follows the example of `http`.
  case httpHeaders = """
    rpc.httpHeaders: \
    Alternatively, send the same text after a Content-Length header, as language servers do.
    """
  case requestObject = "rpc.requestObject: Invalid JSON-RPC 2.0 request: a request must be an object."
  case requestID = "rpc.requestID: Invalid JSON-RPC 2.0 request: \"id\" must be a string, a number or null."
  case requestVersion = "rpc.requestVersion: Invalid JSON-RPC 2.0 request: \"jsonrpc\" must be \"2.0\"."
  case requestMethod = "rpc.requestMethod: Invalid JSON-RPC 2.0 request: \"method\" must be a string."
  case requestParams = "rpc.requestParams: Invalid JSON-RPC 2.0 request: \"params\" must be an object or an array."
  case emptyBatch = "rpc.emptyBatch: Invalid JSON-RPC 2.0 request: the batch is empty."
  case duplicateID = """
    rpc.duplicateID: \
    Invalid JSON-RPC 2.0 request: another request with the same "id" is still waiting for its reply.
    """
  case longID = "rpc.longID: Invalid JSON-RPC 2.0 request: its \"id\" may be at most {limit} bytes long."
  case methodNotFound = "rpc.methodNotFound: There is no method \"{method}\"."
  case `internal` = "rpc.internal: An internal error occurred."
}

/// The kinds of JSON that a parser expects at a byte. They are the values of `expected` in `RPCMessageKey.parse`, and are used
/// nowhere else.
package enum JSONMessageKey: String, MessageKey {
  case endOfText = "json.endOfText: the end of the text"
  case value = "json.value: a value"
  case valueOrBracket = "json.valueOrBracket: a value or a closing bracket"
  case nameOrBrace = "json.nameOrBrace: a member name or a closing brace"
  case name = "json.name: a member name"
  case separatorOrEnd = "json.separatorOrEnd: a comma or the end of the array or object"
  case commaOrBrace = "json.commaOrBrace: a comma or a closing brace"
  case commaOrBracket = "json.commaOrBracket: a comma or a closing bracket"
  case nameOnce = "json.nameOnce: a member name that the object does not contain yet"
  case literalTrue = "json.literalTrue: the literal true"
  case literalFalse = "json.literalFalse: the literal false"
  case literalNull = "json.literalNull: the literal null"
  case colon = "json.colon: a colon"
  case digit = "json.digit: a digit"
  case quote = "json.quote: a closing quote"
  case escape = "json.escape: an escape sequence"
  case escapedControl = "json.escapedControl: an escape sequence instead of a control character"
  case knownEscape = "json.knownEscape: one of the escape sequences \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u"
  case highSurrogate = "json.highSurrogate: a high surrogate before the low surrogate"
  case lowSurrogate = "json.lowSurrogate: a low surrogate after the high surrogate"
  case hexadecimal = "json.hexadecimal: four hexadecimal digits"
  case utf8 = "json.utf8: valid UTF-8"
}

/// Messages about the params of a request. `name` is the name of the wrong member.
package enum ParameterMessageKey: String, MessageKey {
  case missing = "parameter.missing: \"{name}\" is missing."
  case string = "parameter.string: \"{name}\" must be a string."
  case boolean = "parameter.boolean: \"{name}\" must be a boolean."
  case integer = "parameter.integer: \"{name}\" must be an integer."
  case object = "parameter.object: \"{name}\" must be an object."
  case array = "parameter.array: \"{name}\" must be an array."
  case id = "parameter.id: \"{name}\" must be a string or a number."
  /// `parameters` is a list of names, each in quotes.
  case unknown = "parameter.unknown: Unknown parameter \"{name}\"; this method takes {parameters}."
  case unknownOfNone = "parameter.unknownOfNone: Unknown parameter \"{name}\"; this method takes none."
  case tooMany = "parameter.tooMany: Too many parameters; this method takes {parameters}."
  case tooManyOfNone = "parameter.tooManyOfNone: Too many parameters; this method takes none."
  case accountID = "parameter.accountID: \"id\" must be a UUID, for example 0192d3a4-7c1e-7b32-9f00-0123456789ab."
  case accountMissing = "parameter.accountMissing: Give the account's \"id\" or \"email\"."
  case accountTwice = "parameter.accountTwice: Give either \"id\" or \"email\", not both."
  case listedMail = "parameter.listedMail: \"id\" must be a UUID returned by mail.list."
  case listedRegistration = "parameter.listedRegistration: \"id\" must be a UUID returned by outbox.list."
  case pageLimit = "parameter.pageLimit: \"limit\" must be a whole number from 1 to {maximum}."
  case pageAfter = "parameter.pageAfter: \"after\" must be a UUID: the value of \"next\" on the previous page."
  case pageAfterClaim = "parameter.pageAfterClaim: \"after\" must be the id of a claim: 32 hexadecimal digits."
  case pageAfterGroup =
    "parameter.pageAfterGroup: \"after\" must be a group name: the value of \"next\" on the previous page."
  case pageAfterEntry = "parameter.pageAfterEntry: \"after\" must be a whole number, 0 or higher."
  case records = "parameter.records: \"records\" may contain at most {limit} records; send the rest in another call."
  case origin = "parameter.origin: \"origin\" may be at most {limit} bytes long."
  case requestID = """
    parameter.requestID: \
    "requestId" must be 1 to {maximum} bytes long and must not contain control characters; a UUID is suitable.
    """
  case milliseconds = "parameter.milliseconds: \"milliseconds\" must be a number from 1 to {maximum}."
  case formKind = "parameter.formKind: \"kind\" must be \"registration\", \"signIn\" or \"recovery\"."
  case formField = "parameter.formField: \"{name}\" may be at most {limit} bytes long in a form."
  case accountState = "parameter.accountState: \"state\" must be \"active\", \"pending\", \"disabled\" or \"waiting\"."
  case newAccountState = "parameter.newAccountState: \"state\" must be \"active\" or \"disabled\" for a new account."
  case groups = """
    parameter.groups: \
    "groups" must be an array of 1 to {limit} group names; a name has 1 to 32 lower-case letters, digits, ".", "_" or "-", \
    and begins with a letter or digit.
    """
  case group = """
    parameter.group: \
    "{name}" must be a group name: 1 to 32 lower-case letters, digits, ".", "_" or "-", beginning with a letter or digit.
    """
  case invitationID = "parameter.invitationID: \"id\" must be a UUID returned by invitation.list."
  case invitationUses = "parameter.invitationUses: \"uses\" must be a whole number from 1 to {maximum}."
  case invitationUsesOfOne = "parameter.invitationUsesOfOne: \"uses\" must be 1 for an invitation with an \"email\"."
  case invitationLife = "parameter.invitationLife: \"expiresSeconds\" must be a whole number from 1 to {maximum}."
  case invitationNote =
    "parameter.invitationNote: \"note\" may be at most {limit} bytes long and must not contain U+0000."
  case invitationTwice = "parameter.invitationTwice: Give either \"email\" or \"domain\", not both."
  case invitationSend = "parameter.invitationSend: An invitation can be sent by email only if \"email\" is given."
}
