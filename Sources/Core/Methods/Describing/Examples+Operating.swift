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
      "account":"01a1fdc0-9860-7c27-b60b-80efae0ad69a","email":"ada@example.com","regd":"regd",\#
      "commitment":"+BEbzTFG/v0f10EYD33JBX2gPpapd57R7sRmQt2BbAU=",\#
      "salt":"oqHPSlczpvIgeX7VZisaqUtNf4M6AHuXOF1/HJaVOF8="}],"next":1}
      """#),
    "audit.head": Example(
      #"{}"#,
      #"""
      {"size":3,"root":"wA30Mx+LhRJcFF4nQy7vy73IreZ2iYWO0pw0bHrxFcQ=","time":"2026-11-21T10:57:00.000000Z",\#
      "key":"Ou9OlaQ7I3Y5ulUI5V+A9evi+y2HvivRFxQkVHTkzHU=",\#
      "signature":"y87hwTsDI2BEXJ99YaUVhmILUp4zg9USB3pevd2rJ8O3lrL/SnMtkNouOP/Lr28Kpsw9GrZw/iL+VVM2aeWiBg=="}
      """#),
    "audit.prove": Example(
      #"{"entry":2,"size":3}"#,
      #"""
      {"index":1,"leaf":"{\"account\":\"01a1fdc0-9860-7ed9-91b2-5a3c0b4f1e20\",\"commitment\":\"PRYZ1N1+N73121oGeSAAX4gathzQp+NdvfClK6TAnIs=\",\#
      \"entry\":2,\"event\":\"account.waiting\",\"regd\":\"regd\",\"time\":\"2026-11-21T10:57:00.000000Z\"}",\#
      "path":["BDp3VjChYQWnkgNbxcnbnJBpRxzAZ/k/ClWYA/ScdC4=",\#
      "K7OCfjL0G+YFRpeqQxf7n6rS2byhGvnpiXbnwzlU9qc="]}
      """#),
    "audit.consistency": Example(
      #"{"from":2,"to":3}"#,
      #"{"path":["K7OCfjL0G+YFRpeqQxf7n6rS2byhGvnpiXbnwzlU9qc="]}"#),
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
