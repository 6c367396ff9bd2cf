/// Sentences about JSON-RPC itself: the text is no request, or no method accepts the request.
package enum RPCSentence: String, SentenceKey {
  package static let area = "rpc"
  /// `expected` is a case of `JSONSentence`.
  case parse = "This is not JSON: at byte {offset}, expected {expected}."
  case parseStructure = "This is not JSON: its structure is broken."
  case headerWithoutLength =
    "This is not JSON: a header block without Content-Length; right is Content-Length: N, an empty line, N bytes."
  case headerWithTwoLengths = "This is not JSON: Content-Length stands in the header block twice."
  case headerLength = "This is not JSON: Content-Length must be a whole number of bytes, written in digits."
  case headerLine = "This is not JSON: a line of the header block is not Name: value."
  case headerTooLarge = "This is not JSON: a header block may have at most {limit} bytes."
  case headerUnfinished = "This is not JSON: the header block has no end."
  /// Follows one of the sentences above, for the last invalid text before the connection is closed.
  case parseLast = "It is the {count}th text in a row that is not; the connection is closed."
  /// Precedes an example, a line of JSON, for a program that speaks HTTP.
  case http = "This socket speaks JSON-RPC 2.0, not HTTP. Send one JSON text a line, for example"
  /// Follows that line.
  case httpHeaders = "or the same behind a Content-Length header, as language servers do."
  case requestObject = "This is not a JSON-RPC 2.0 request: it must be an object."
  case requestID = "This is not a JSON-RPC 2.0 request: \"id\" must be a string, a number or null."
  case requestVersion = "This is not a JSON-RPC 2.0 request: \"jsonrpc\" must be \"2.0\"."
  case requestMethod = "This is not a JSON-RPC 2.0 request: \"method\" must be a string."
  case requestParams = "This is not a JSON-RPC 2.0 request: \"params\" must be an object or an array."
  case emptyBatch = "This is not a JSON-RPC 2.0 request: the batch is empty."
  case duplicateID = "This is not a JSON-RPC 2.0 request: its \"id\" is that of a request that has no reply yet."
  case longID = "This is not a JSON-RPC 2.0 request: its \"id\" may have at most {limit} bytes."
  case methodNotFound = "There is no method \"{method}\"."
  case `internal` = "regd could not do this because of a fault of its own."
}

/// The JSON that a byte should have begun or continued. Each is the value of `expected` in `RPCSentence.parse`, and is used
/// nowhere else.
package enum JSONSentence: String, SentenceKey {
  package static let area = "json"
  case endOfText = "the end of the text"
  case value = "a value"
  case valueOrBracket = "a value or a closing bracket"
  case nameOrBrace = "a member name or a closing brace"
  case name = "a member name"
  case separatorOrEnd = "a comma or the end of the array or object"
  case commaOrBrace = "a comma or a closing brace"
  case commaOrBracket = "a comma or a closing bracket"
  case nameOnce = "each member name only once in an object"
  case literalTrue = "the literal true"
  case literalFalse = "the literal false"
  case literalNull = "the literal null"
  case colon = "a colon"
  case digit = "a digit"
  case quote = "a closing quote"
  case escape = "an escape"
  case escapedControl = "an escape, since control characters must be escaped in a string"
  case knownEscape = "one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u"
  case highSurrogate = "a high surrogate before this low one"
  case lowSurrogate = "a low surrogate after this high one"
  case hexadecimal = "four hexadecimal digits"
  case utf8 = "valid UTF-8"
}

/// Sentences about the params of a request. `name` is the name of the wrong member.
package enum ParameterSentence: String, SentenceKey {
  package static let area = "parameter"
  case missing = "\"{name}\" is missing."
  case string = "\"{name}\" must be a string."
  case boolean = "\"{name}\" must be a boolean."
  case integer = "\"{name}\" must be an integer."
  case object = "\"{name}\" must be an object."
  case array = "\"{name}\" must be an array."
  case id = "\"{name}\" must be a string or a number."
  /// `parameters` is a list of names, each in quotes.
  case unknown = "\"{name}\" is not a parameter here; it takes {parameters}."
  case unknownOfNone = "\"{name}\" is not a parameter here; this method takes none."
  case tooMany = "There are too many parameters; it takes {parameters}."
  case tooManyOfNone = "There are too many parameters; this method takes none."
  case accountID = "\"id\" must be a UUID, as 0192d3a4-7c1e-7b32-9f00-0123456789ab."
  case accountMissing = "Which account is meant needs \"id\" or \"email\"."
  case accountTwice = "\"id\" and \"email\" are two ways to say one thing; give one."
  case listedMail = "\"id\" must be a UUID, as mail.list has it."
  case listedRegistration = "\"id\" must be a UUID, as outbox.list has it."
  case pageLimit = "\"limit\" must be a whole number from 1 to {maximum}."
  case pageAfter = "\"after\" must be a UUID: the \"next\" of the page before."
  case pageAfterClaim = "\"after\" must be the id of a claim: 32 hexadecimal digits."
  case pageAfterEntry = "\"after\" must not be negative."
  case records = "\"records\" may have at most {limit} records; import the others with another call."
  case origin = "\"origin\" may have at most {limit} bytes."
  case requestID = "\"requestId\" must have 1 to {maximum} bytes and no control characters; a UUID is a good one."
  case milliseconds = "\"milliseconds\" must be from 1 to {maximum}."
  case formKind = "\"kind\" must be \"registration\" or \"signIn\" or \"recovery\"."
  case formField = "\"{name}\" may have at most {limit} bytes in a form."
}
