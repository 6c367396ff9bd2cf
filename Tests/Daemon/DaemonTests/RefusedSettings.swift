import Registration

@testable import Daemon

extension SettingsTests {
  /// Configurations with which regd does not start, and its message for each.
  static let refused: [(yaml: String, says: String)] = [
    ("stor:\n  backend: sqlite", "f.yaml:2: stor.backend: unknown; did you mean \"store.backend\"?"),
    ("store:\n\n  backnd: sqlite", "f.yaml:3: store.backnd: unknown; did you mean \"store.backend\"?"),
    (
      "limits: {messageBites: 5}",
      "f.yaml:1: limits.messageBites: unknown; did you mean \"limits.messageBytes\"?"
    ),
    ("limit: 5", "f.yaml:1: limit: unknown; did you mean \"limits\"?"),
    ("sockt: /run/x", "f.yaml:1: sockt: unknown; did you mean \"socket\"?"),
    ("mails: none", "f.yaml:1: mails: unknown; did you mean \"mail\"?"),
    ("store: {sqlit: x}", "f.yaml:1: store.sqlit: unknown; did you mean \"store.sqlite\"?"),
    ("nonsense: 5", "f.yaml:1: nonsense: unknown; the sections are access, "),
    ("mail: {nonsense: 5}", "f.yaml:1: mail.nonsense: unknown; the keys of mail are backend, "),
    ("socket: /run/x", "f.yaml:1: socket: this is a section, not a value: write its keys below it"),
    (
      "store: {backend: oracle}",
      "f.yaml:1: store.backend: must be one of \(Backends.stores.map { $0.name }.joined(separator: ", ")), not \"oracle\""
    ),
    ("signIn: {authority: network}", "f.yaml:1: signIn.authority: must be store while network.backend is none"),
    ("signIn: {authority: upstream}", "f.yaml:1: signIn.authority: must be one of store, network, not \"upstream\""),
    ("signIn: {offline: cache}", "f.yaml:1: signIn.offline: must be one of refuse, cached, not \"cache\""),
    ("network: {whenUnreachable: retry}", "network.whenUnreachable: must be one of refuse, defer, not \"retry\""),
    ("network: {backend: http}", "network.http.baseURL: is missing; network.backend http needs it"),
    (
      "network: {http: {connectSeconds: 6}}",
      "network.http.connectSeconds: must not be more than network.http.totalSeconds"
    ),
    ("network: {http: {totalSeconds: -1}}", "network.http.totalSeconds: must be a number of seconds from 0.01 to 3600"),
    ("network: {http: {totalSeconds: 1e3}}", "network.http.totalSeconds: must be a number of seconds"),
    ("network: {http: {totalSeconds: \(String(repeating: "9", count: 42))}}", "must be a number of seconds"),
    ("network: {http: {totalSeconds: soon}}", "network.http.totalSeconds: must be a number of seconds"),
    ("network: {http: {caFile: ca.pem}}", "network.http.caFile: must be an absolute path, not \"ca.pem\""),
    (
      "network: {backend: http, http: {baseURL: \"https://a.example\", caFile: /etc/passwd}}",
      "network.http.caFile: must be a PEM file, but /etc/passwd has no line that begins with -----BEGIN"
    ),
    (
      "network: {http: {clientKeyFile: /k.pem}}",
      "network.http.clientCertificateFile: is missing: certificate and key need each other"
    ),
    ("network: {http: {bearerToken: \"two words\"}}", "network.http.bearerToken: must be one word of visible ASCII"),
    (
      "network: {backend: http, http: {baseURL: \"https://a.example\", totalSeconds: 30}}",
      "network.http.totalSeconds: must be less than limits.requestSeconds, which is 30"
    ),
    ("network: {breaker: {failures: -1}}", "network.breaker.failures: must be a whole number from 0 to 1000000"),
    ("network: {breaker: {firstSeconds: 90}}", "network.breaker.maximumSeconds: must not be less than"),
    ("network: {outbox: {firstSeconds: 400}}", "network.outbox.maximumSeconds: must not be less than"),
    (
      "network: {scripted: {checkEmail: [at-work]}}",
      "network.scripted.checkEmail: \"at-work\" is not an answer to checkEmail; \"taken\" is"
    ),
    (
      "network: {scripted: {signIn: [at-work]}}",
      "network.scripted.signIn: \"at-work\" is not an answer to signIn; \"wrong\" is"
    ),
    (
      "network: {scripted: {signIn: [taken]}}",
      "network.scripted.signIn: \"taken\" is not an answer to signIn; \"wrong\" is"
    ),
    (
      "network: {scripted: {register: [wrong]}}",
      "network.scripted.register: \"wrong\" is not an answer to register; \"taken\" is"
    ),
    ("mail: {backend: pigeon}", "f.yaml:1: mail.backend: must be one of none, "),
    ("mail: {backend: offline}", "f.yaml: mail.from: is missing; a mail.backend other than none needs the sender's"),
    ("mail: {from: regd}", "mail.from: is not an address; write, for example, noreply@example.com"),
    ("mail: {from: \"Regd <a@b.example>\"}", "mail.from: must be an address and nothing else, such as noreply@"),
    (
      "mail: {from: a@localhost}",
      "mail.from: must be an address and nothing else, such as noreply@example.com. The domain"
    ),
    (
      "mail: {fromName: \"a\\nBcc: b@example.com\"}",
      "f.yaml:1: mail.fromName: must not contain control characters, but contains U+000A"
    ),
    ("site: {name: \"a\\tb\"}", "f.yaml:1: site.name: must not contain control characters, but contains U+0009"),
    (
      "site:\n  name: |\n    a\n    b\n",
      "site.name: must not contain control characters, but contains U+000A"
    ),
    ("site: {url: \"a\\u2028b\"}", "f.yaml:1: site.url: must not contain control characters, but contains U+2028"),
    ("site: {naem: x}", "f.yaml:1: site.naem: unknown; did you mean \"site.name\"?"),
    ("site: Example", "f.yaml:1: site: this is a section, not a value: write its keys below it"),
    ("mail: {from: bücher@example.com}", "mail.from: has a part before the @ that is not ASCII, which not every mail"),
    (
      "mail: {backend: file, from: a@b.example}",
      "mail.file.directory: is missing; mail.backend file needs it, for example /var/lib/regd/mails"
    ),
    (
      "mail: {file: {directory: mails/}}",
      "mail.file.directory: must be the absolute path of a directory, not \"mails/\""
    ),
    (
      "mail: {file: {directory: /\(String(repeating: "x", count: 5000))}}",
      "mail.file.directory: is too long for a path"
    ),
    (
      "mail: {backend: smtp, from: a@b.example}",
      "mail.smtp.url: is missing; mail.backend smtp needs it, such as smtp://"
    ),
    (
      "mail: {smtp: {url: \"smtp://a.example\"}}",
      "mail.smtp.url: is set, but mail.backend is none: write mail.backend:"
    ),
    (
      "mail: {smtp: {url: \"http://a.example\"}}",
      "mail.smtp.url: must begin with smtp:// (STARTTLS, or this machine) or"
    ),
    (
      "mail: {smtp: {url: \"smtp://u:p@a.example\"}}",
      "mail.smtp.url: must not contain a user or a password; use mail.smtp.user"
    ),
    ("mail: {smtp: {url: \"smtp://a.example/x\"}}", "mail.smtp.url: must have nothing after the host and the port"),
    ("mail: {smtp: {url: \"smtp://a.example:99999\"}}", "mail.smtp.url: has an invalid port (1 to 65535)"),
    ("mail: {smtp: {helo: \"a b\"}}", "mail.smtp.helo: must be a host name, as in mail.example.com, or an address in"),
    ("mail: {smtp: {helo: \"[::1]\"}}", "mail.smtp.helo: is not an address in brackets, as in [192.0.2.1] or"),
    ("mail: {smtp: {user: regd}}", "mail.smtp.password: is missing: user and password need each other"),
    ("mail: {smtp: {password: x}}", "mail.smtp.user: is missing: user and password need each other"),
    (
      "mail: {backend: event, from: a@example.com, event: {answerSeconds: 30}}",
      "mail.event.answerSeconds: must be less than limits.requestSeconds, which is 30"
    ),
    (
      "mail: {backend: sendmail, from: a@example.com, sendmail: {totalSeconds: 30}}",
      "mail.sendmail.totalSeconds: must be less than limits.requestSeconds, which is 30"
    ),
    (
      "mail: {backend: smtp, from: a@example.com, smtp: {url: \"smtp://localhost\", totalSeconds: 30}}",
      "mail.smtp.totalSeconds: must be less than limits.requestSeconds, which is 30"
    ),
    ("mail: {smtp: {connectSeconds: 30}}", "mail.smtp.connectSeconds: must not be more than mail.smtp.totalSeconds"),
    (
      "mail: {backend: smtp, from: a@b.example, smtp: {url: \"smtp://a.example\", caFile: /etc/passwd}}",
      "mail.smtp.caFile: must be a PEM file, but /etc/passwd has no line that begins with -----BEGIN"
    ),
    ("mail: {sendmail: {path: sendmail}}", "mail.sendmail.path: must be an absolute path, not \"sendmail\""),
    (
      "mail: {sendmail: {totalSeconds: 0}}", "mail.sendmail.totalSeconds: must be a number of seconds from 0.01 to 3600"
    ),
    ("mail: {scripted: {send: [maybe]}}", "mail.scripted.send: \"maybe\" is not a step: \"maybe\" is not an answer"),
    (
      "mail: {scripted: {send: [reject to=b]}}",
      "\"to=b\" is not an option; the options are delay=NUMBERms, to=ADDRESS and"
    ),
    ("mail: {scripted: {send: []}}", "mail.scripted.send: must have at least one step"),
    ("store: {sqlite: {lockSeconds: 0}}", "store.sqlite.lockSeconds: must be a number of seconds from 0.001 to 3600"),
    ("store: {sqlite: {readOnly: 1}}", "store.sqlite.readOnly: must be true or false"),
    ("signIn: {throttle: 1}", "f.yaml:1: signIn.throttle: must be true or false, not \"1\""),
    ("password: {breachedList: list}", "f.yaml:1: password.breachedList: must be an absolute path, not \"list\""),
    ("network: {backend: [none]}", "f.yaml:1: network.backend: must be a single value, not a list"),
    ("limits:\n  depth: deep", "f.yaml:2: limits.depth: must be a whole number from 4 to 10000, not \"deep\""),
    ("limits:\n  depth: 3", "f.yaml:2: limits.depth: must be a whole number from 4 to 10000, not \"3\""),
    ("limits:\n  depth: 1.5", "f.yaml:2: limits.depth: must be a whole number"),
    ("email: {internationalized: yes}", "f.yaml:1: email.internationalized: must be true or false, not \"yes\""),
    ("socket: {mode: \"0999\"}", "f.yaml:1: socket.mode: must be permission bits in octal"),
    ("socket: {mode: rw}", "f.yaml:1: socket.mode: must be permission bits in octal"),
    ("access: {admin: {uids: [1, \"\"]}}", "access.admin.uids: contains an empty item"),
    ("email: {blockedDomains: \"a.example,,b.example\"}", "email.blockedDomains: contains an empty item"),
    ("socket: {path: run/x}", "f.yaml:1: socket.path: must be an absolute path, not \"run/x\""),
    ("store: {sqlite: {path: x.db}}", "f.yaml:1: store.sqlite.path: must be an absolute path"),
    (
      "hashing: {memoryKiB: 8192}",
      "f.yaml:1: hashing.memoryKiB: is too weak: with 2 passes, OWASP asks for 19456 KiB or more"
    ),
    ("password: {minimumLength: 20, maximumLength: 10}", "password.maximumLength: must not be less than"),
    (
      "network: {scripted: {register: [acept]}}",
      "network.scripted.register: \"acept\" is not a step: \"acept\" is not an answer"
    ),
    ("network: {scripted: {register: []}}", "network.scripted.register: must have at least one step"),
    (
      "socket: {path: /\(String(repeating: "x", count: 103))}",
      "f.yaml:1: socket.path: is too long for a socket; the maximum is 103 bytes"
    ),
    ("email: {blockedDomains: [good.example, \"*.example\"]}", "email.blockedDomains: \"*.example\" is not a domain"),
    ("hashing: {workers: 1000, memoryKiB: 4194304}", "f.yaml:1: hashing.memoryKiB: is too high: 1000 hashes at once"),
    ("hashing: {workers: 1000}", "f.yaml:1: hashing.workers: is too high, the maximum is "),
    ("smtp: {host: x}", "f.yaml:1: smtp.host: unknown; smtp belongs to mail; the keys of mail.smtp are caFile, "),
    (
      "http: {baseUrl: x}",
      "f.yaml:1: http.baseUrl: unknown; http belongs to network; did you mean \"network.http.baseURL\"?"
    ),
    (
      "sqlite: {path: /x}",
      "f.yaml:1: sqlite.path: unknown; sqlite belongs to store; did you mean \"store.sqlite.path\"?"
    ),
    (
      "socket:\n  path: /run/x\n    y",
      "f.yaml:2: socket.path: must be on one line: YAML joins the next line to"
    ),
    ("socket: {path: \"/run/x\\u2028y\"}", "socket.path: must not contain control characters, but contains U+2028"),
    ("hashing: {passes: 1}", "f.yaml: hashing.memoryKiB: is too weak: with 1 passes, OWASP asks for 47104 KiB or more"),
    (
      "audit: {key: MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MA==}",
      "f.yaml:1: audit.key: must be 32 bytes in base64; to make a key: openssl rand -base64 32"
    ),
    (
      "audit: {key: hunter2}", "f.yaml:1: audit.key: must be 32 bytes in base64; to make a key: openssl rand -base64 32"
    ),
    (
      "hashing: {firebaseKey: hunter2}",
      "f.yaml:1: hashing.firebaseKey: must be the project's base64_signer_key: 16 to 128 bytes in base64, with its padding"
    ),
    (
      "messages: {language: \"e n\"}",
      "f.yaml:1: messages.language: must be the name of a language (BCP 47), such as en"
    ),
    ("messages: {language: []}", "f.yaml:1: messages.language: must be a single value"),
    ("messages: {directory: own}", "f.yaml:1: messages.directory: must be an absolute path, not \"own\""),
    ("log: {level: loud}", "log.level: must be one of trace, debug"),
    ("environment: {name: x}", "environment.gives: is missing"),
    (
      "environment: {name: x, gives: joy}",
      "environment.gives: must be one of success, offline, unavailable,"
    ),
    // Keys without a value.
    (
      "access: ~", "f.yaml:1: access: is a section and must not be null; leave it out, and its keys have their defaults"
    ),
    ("limits: {depth: 8}\naccess:\n  admin: null", "f.yaml:3: access.admin: is a section and must not be null"),
    ("doors: ~", "f.yaml:1: doors: is a section and must not be null"),
    (
      "doors: {a: {protocol: socketmap, path: /run/a, groups: [staff]}}",
      "f.yaml:1: doors.a.groups: must be empty, because users do not sign in at a socketmap door"
    ),
    (
      "doors: {a: {protocol: http, path: /run/a, groups: [staff, Staff]}}",
      "f.yaml:1: doors.a.groups: must be group names of 1 to 32 lower-case letters, digits, \".\", \"_\" or"
    ),
    (
      "doors: {a: {protocol: http, path: /run/a, groups: ~}}",
      "f.yaml:1: doors.a.groups: has no value; leave the key out for its default, or write [] for none"
    ),
    (
      "access: {admin: {groups: ~}}",
      "f.yaml:1: access.admin.groups: has no value; leave the key out for its default, or"
    ),
    (
      "email:\n  blockedDomains:", "f.yaml:2: email.blockedDomains: has no value; leave the key out for its default, or"
    ),
    ("email: {blockedDomains: {}}", "or write [] for none"), ("limits: {depth: null}", "limits.depth: has no value"),
    (
      "network: {http: {caFile: ~}}",
      "network.http.caFile: has no value; leave the key out for its default, or write \"\""
    ),
    ("access: {admin: {groups: [~]}}", "f.yaml:1: an item of the list has no value"),
    ("access: {admin: {users: [\"\"]}}", "access.admin.users: contains an empty name"),
    // Items that would block nothing.
    (
      "email: {blockedDomains: [.example.org]}",
      "\".example.org\" is not a domain, and would block nothing; write example.org, which includes all domains below it"
    ),
    ("email: {blockedDomains: [good.example, example.net.]}", "write example.net, which includes all domains below it"),
    ("email: {blockedDomains: [\"*.bücher.example\"]}", "write xn--bcher-kva.example, which"),
    ("email: {blockedDomains: [\"@a.example\"]}", "write a.example, which"),
    ("email: {blockedDomains: [a..example]}", "\"a..example\" is not a domain such as"),
    ("email: {blockedDomains: [a_b.example]}", "\"a_b.example\" is not a domain such as"),
    ("email: {blockedDomains: [\"\"]}", "\"\" is not a domain such as"),
    ("email: {blockedDomains: [a@b.example]}", "is not a domain such as"),
    // control characters
    ("socket: {path: \"/run/x\\0y\"}", "socket.path: must not contain control characters, but contains U+0000"),
    (
      "store: {sqlite: {path: \"/x\\ny\"}}",
      "store.sqlite.path: must not contain control characters, but contains U+000A"
    ),
    (
      "network: {http: {caFile: \"/x\\x1by\"}}",
      "network.http.caFile: must not contain control characters, but contains U+001B"
    ),
    ("email: {blockedDomains: [\"a\\0.example\"]}", "email.blockedDomains: must not contain control characters"),
    ("environment: {name: \"x\\ty\", gives: success}", "environment.name: must not contain control characters"),
    // Invalid paths.
    ("store: {sqlite: {path: /var/lib/regd/}}", "store.sqlite.path: must be the path of a file"),
    ("password: {breachedList: /var/lib/..}", "password.breachedList: must be the path of a file"),
    (
      "store: {sqlite: {path: /\(String(repeating: "x", count: 5000))}}",
      "store.sqlite.path: is too long for a path; the maximum is 4095"
    ),
    // Keys that are valid alone but contradict each other.
    (
      "network: {whenUnreachable: defer}",
      "network.whenUnreachable: must be refuse while network.backend is none, because there is no upstream"
    ),
    (
      "signIn: {offline: cached}",
      "signIn.offline: must be refuse while signIn.authority is store, because sign-ins need no upstream"
    ),
    (
      "network: {http: {baseURL: \"https://a.example\"}}",
      "network.http.baseURL: is set, but network.backend is none: write network.backend: http"
    ),
    ("network: {backend: none, http: {baseURL: \"https://a.example\"}}", "network.http.baseURL: is set"),
    (
      "limits: {connections: 10, connectionsPerUID: 11}",
      "limits.connectionsPerUID: must not be more than limits.connections, which is 10"
    ),
    ("limits: {inFlightPerConnection: 9000}", "limits.inFlightPerConnection: must not be more than"),
    ("limits: {queuedBytesPerConnection: 8388609}", "limits.queuedBytesPerConnection: must not be more than"),
    ("limits: {messageBytes: 33554433}", "limits.messageBytes: must not be more than limits.heldBytesPerUID, which is"),
    ("limits: {heldBytesPerUID: 65536}", "limits.messageBytes: must not be more than limits.heldBytesPerUID"),
    ("limits: {messageBytes: 1024, idBytes: 1025}", "limits.idBytes: must not be more than"),
    ("limits: {messageBytes: 1024}\npassword: {maximumLength: 513}", "password.maximumLength: has no effect"),
    ("store: {sqlite: {lockSeconds: 30}}", "store.sqlite.lockSeconds: must be less than limits.requestSeconds"),
    ("socket: {mode: \"0440\"}", "socket.mode: lets no one connect"),
    ("a: 1\na: 2", "f.yaml:2: the key \"a\" appears here a second time"),
    ("a: [", "f.yaml:1: the [ here is not closed"),
  ]
}
