extension JSONTexts {
  /// §2: a text is one value, with white space around it.
  static let structure: [JSONText] = [
    // one value of each kind
    .good("§2 an object is a text", "{}"),
    .good("§2 an array is a text", "[]"),
    .good("§2 a string is a text", #""""#),
    .good("§2 a number is a text", "0"),
    .good("§2 true is a text", "true"),
    .good("§2 false is a text", "false"),
    .good("§2 null is a text", "null"),
    .good("§3 every kind of value at once", #"{"o":{},"a":[],"s":"","n":-1.5e+3,"t":true,"f":false,"z":null}"#),
    .good("§2 structural characters next to each other", #"[{"a":[{}]},[[],{}],{"b":{"c":[]}}]"#),
    .good("§2 structural characters in a string are characters", #"["{","}","[","]",":",","]"#),
    .good("§2 a comment in a string is content", ##"["//","/* */","#","<!--"]"##),
    .good("§2 a JSON text in a string is a string", #""{\"a\":[1,2]}""#),
    .good("§2 a call", #"{"jsonrpc":"2.0","method":"add","params":{"name":"a","retries":3},"id":1}"#),
    .good("§2 a call with a list", #"{"id":"8b3c","jsonrpc":"2.0","method":"subtract","params":[42,-23.5]}"#),
    .good("§2 a notification", #"{"jsonrpc":"2.0","method":"changed","params":[]}"#),
    .good("§2 a reply", #"{"jsonrpc":"2.0","result":{"items":[{"n":1,"ok":true},{"n":2}]},"id":null}"#),
    .good("§2 an error", #"{"jsonrpc":"2.0","error":{"code":-32700,"message":"\"{\" is open","data":[]},"id":7}"#),
    .good("§2 a batch", #"[{"jsonrpc":"2.0","method":"a","id":1},{"jsonrpc":"2.0","method":"b"},17]"#),
    .good("§2 settings on several lines", "{\n  \"port\": 80,\n  \"hosts\": [\n    \"a\",\n    \"b\"\n  ]\n}\n"),
    .good("§2 a table", "[[\"x\",\"y\"],[1,-1.5],[0,2e3],[null,true]]"),
    .good("§2 a tree", #"{"l":{"l":{"l":null,"r":null},"r":null},"r":{"l":null,"r":{"l":null,"r":null}}}"#),

    // no value
    .bad("§2 an empty text", ""),
    .bad("§2 white space alone", " \t\r\n"),
    .bad("§2 a name separator alone", ":"),
    .bad("§2 a value separator alone", ","),
    .bad("§2 end-array alone", "]"),
    .bad("§2 end-object alone", "}"),

    // more than one value
    .bad("§2 two objects", "{}{}"),
    .bad("§2 two arrays with white space between", "[] []"),
    .bad("§2 two texts on separate lines", "{\"a\":1}\n{\"b\":2}\n"),
    .bad("§2 two strings", #""a" "b""#),
    .bad("§2 two strings with nothing between", #""a""b""#),
    .bad("§2 two numbers", "1 2"),
    .bad("§2 two literals", "true false"),
    .bad("§2 a member without an object", #""a":1"#),
    .bad("§2 a value and a separator", "1,"),
    .bad("§2 a separator and a value", ",1"),
    .bad("§2 a colon after the value", "[]:"),
    .bad("§2 an opened object after the value", "[]{"),
    .bad("§2 an opened string after the value", #"[]""#),
    .bad("§2 a letter after the value", "[]x"),
    .bad("§2 a letter before the value", "x[]"),
    .bad("§2 a digit after the value", "{}0"),

    // brackets that do not pair
    .bad("§2 an array that ends as an object", "[}"),
    .bad("§2 an object that ends as an array", "{]"),
    .bad("§2 brackets that cross", "[{]}"),
    .bad("§2 brackets that cross, with members", #"{"a":[1}]"#),
    .bad("§2 brackets in the wrong order", "]["),
    .bad("§2 braces in the wrong order", "}{"),
    .bad("§2 an extra end-array", "[[]]]"),
    .bad("§2 an extra end-object", #"{"a":{}}}"#),
    .bad("§2 an extra end of the other kind", "[]}"),
    .bad("§2 the outer closing bracket is missing", #"[{"a":[]}"#),
    .bad("§2 the inner closing brace is missing", #"[{"a":[}]"#),
    .bad("§2 parentheses", "(1)"),
    .bad("§2 fullwidth brackets", "\u{FF3B}\u{FF3D}"),
    .bad("§2 fullwidth braces", "\u{FF5B}\u{FF5D}"),
    .bad("§2 brackets as escapes", #"\u005b\u005d"#),

    // comments
    .bad("§2 a line comment at the start", "//c\n[]"),
    .bad("§2 a line comment at the end", "[] //c"),
    .bad("§2 a block comment at the start", "/*c*/[]"),
    .bad("§2 a block comment at the end", "[]/*c*/"),
    .bad("§2 a block comment inside an array", "[1,/*c*/2]"),
    .bad("§2 a block comment without an end", "[]/*"),
    .bad("§2 a slash at the end", "[]/"),
    .bad("§2 a number sign comment", "#c\n[]"),
    .bad("§2 a number sign comment inside an object", "{\"a\":1 #c\n}"),
    .bad("§2 a markup comment", "<!--c-->[]"),
    .bad("§2 a comment alone", "/**/"),

    // additions of other tools around a text
    .bad("§2 a semicolon at the end", "[];"),
    .bad("§2 a callback around the value", "f([])"),
    .bad("§2 a guard against inclusion at the start", ")]}',\n[]"),
    .bad("§2 an interpreter line at the start", "#!/bin/sh\n[]"),
    .bad("§2 a document marker at the start", "---\n[]"),
    .bad("§2 a record separator in front (RFC 7464)", "\u{1E}[]\n"),
    .bad("§2 a length before and a comma after the value (netstring)", "2:[],"),
    .bad("§2 U+0000 at the end", "[]\u{0}"),
    .bad("§2 U+0000 at the start", "\u{0}[]"),
    .bad("§2 U+0000 alone", "\u{0}"),
    .bad("§2 a backslash at the end", "[]\\"),
    .bad("§2 an escaped line feed at the end", #"[]\n"#),

    // §9: limits
    .good("§9 arrays to a depth of 32", "\(begins(32))\(ends(32))"),
    .good("§9 objects to a depth of 32", "\(beginsOfMembers(31)){}\(String(repeating: "}", count: 31))"),
    .good("§9 alternating kinds to a depth of 32", "\(beginsInTurn(16))0\(String(repeating: "}]", count: 16))"),
    .good("§9 a thousand objects side by side", "[\(String(repeating: "{\"a\":1},", count: 1_000)){}]"),
    .good("§9 a thousand arrays side by side", "[\(String(repeating: "[],", count: 1_000))0]"),
    .bad("§9 a depth of 65, past the limit", "\(begins(65))\(ends(65))"),
    .bad("§9 a depth of 16 without ends", begins(16)),
    .bad("§9 a depth of 16 with one end missing", "\(begins(16))\(ends(15))"),
  ]

  private static func begins(_ count: Int) -> String { String(repeating: "[", count: count) }

  private static func beginsOfMembers(_ count: Int) -> String { String(repeating: #"{"a":"#, count: count) }

  private static func beginsInTurn(_ count: Int) -> String { String(repeating: #"[{"a":"#, count: count) }

  private static func ends(_ count: Int) -> String { String(repeating: "]", count: count) }
}
