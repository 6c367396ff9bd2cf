internal import JSONRPC

extension Examples {
  static let operating: [String: Example] = [
    "outbox.list": Example(
      #"{}"#,
      #"""
      {"waiting":[{"id":"01a1fdc0-9860-7173-a23a-2d9c47774d2d","email":"late@example.com",\#
      "since":"2026-11-21T10:57:00.000000Z","attempts":0,"nextAttemptAt":"2026-11-21T10:57:00.000000Z"}]}
      """#),
    "outbox.retry": Example(
      #"{"id":"01a1fdc0-9860-7173-a23a-2d9c47774d2d"}"#,
      #"{}"#),
    "outbox.discard": Example(
      #"{"id":"01a1fdc0-9860-7173-a23a-2d9c47774d2d"}"#,
      #"{}"#),
    "mail.list": Example(
      #"{}"#,
      #"""
      {"waiting":[{"id":"01a1fdc0-9860-7eac-aadc-2c3348b08112","to":"you@example.com","kind":"passwordChanged",\#
      "since":"2026-11-21T10:57:00.000000Z","attempts":0,"nextAttemptAt":"2026-11-21T10:57:00.000000Z"},\#
      {"id":"01a1fdc0-9c48-77a0-8a73-71eea500a1a8","to":"you@example.com","kind":"passwordChanged",\#
      "since":"2026-11-21T10:57:00.000000Z","attempts":0,"nextAttemptAt":"2026-11-21T10:57:00.000000Z"}]}
      """#),
    "mail.retry": Example(
      #"{"id":"01a1fdc0-9860-7eac-aadc-2c3348b08112"}"#,
      #"{}"#),
    "mail.sent": Example(
      #"{"id":"01a1fdc0-9860-7eac-aadc-2c3348b08112"}"#,
      #"{}"#),
    "mail.discard": Example(
      #"{"id":"01a1fdc0-9c48-77a0-8a73-71eea500a1a8"}"#,
      #"{}"#),
    "events.subscribe": Example(
      #"{}"#,
      #"{"sequence":5}"#),
    "events.list": Example(
      #"{"limit":1}"#,
      #"""
      {"events":[{"event":"account.waiting","time":"2026-11-21T10:57:00.000000Z","entry":1,\#
      "account":"01a1fdc0-9860-7c27-b60b-80efae0ad69a","email":"ada@example.com","regd":"regd"}],"next":1}
      """#),
    "events.unsubscribe": Example(
      #"{}"#,
      #"{}"#),
    "daemon.status": Example(
      #"{}"#,
      #"""
      {"version":"1.2.3","uptimeSeconds":42,"store":{"backend":"sqlite","healthy":true,"since":"2026-11-21T10:57:00.000000Z"},\#
      "network":{"backend":"http","healthy":true,"since":"2026-11-21T10:57:00.000000Z"},"outbox":{"waiting":0},\#
      "mail":{"backend":"smtp","healthy":true,"since":"2026-11-21T10:57:00.000000Z","waiting":1,"sent":0,"refused":0,\#
      "outdated":0},"hashing":{"pending":0,"workers":1,"queue":2},"breachedPasswords":{"active":false,"path":""},\#
      "log":{"waiting":0,"dropped":0,"heldBack":0},"configuration":{"generation":3,"file":"/etc/regd/regd.yaml",\#
      "loadedAt":"2026-11-21T10:57:00.000000Z","changed":[{"key":"limits.requestSeconds","value":"20","shipped":"30"},\#
      {"key":"network.http.token","secret":true}]},"doors":[],"subscribers":0,"connections":0,"users":[]}
      """#),
    "daemon.metrics": Example(
      #"{}"#,
      ##"{"text":"# EOF\n"}"##),
    "daemon.reload": Example(
      #"{}"#,
      #"{"generation":4,"changed":["limits.requestSeconds"]}"#),
    "daemon.holdStore": Example(
      #"{"milliseconds":500}"#,
      #"{"hold":"780faf0c333803633d94d20efba5d9e0","milliseconds":500}"#),
    "daemon.releaseStore": Example(
      #"{"hold":"780faf0c333803633d94d20efba5d9e0"}"#,
      #"{"released":true}"#),
    "daemon.acceptStore": Example(
      #"{}"#,
      #"{"accepted":true}"#),
  ]
}
