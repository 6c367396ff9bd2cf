internal import JSONRPC

extension Examples {
  static let administrating: [String: Example] = [
    "account.get": Example(
      #"{"email":"you@example.com"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]}}
      """#),
    "account.list": Example(
      #"{"limit":1}"#,
      #"""
      {"accounts":[{"id":"01a1fdc0-9860-7ab4-8ab6-4960ec4515ab","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]}]}
      """#),
    "account.disable": Example(
      #"{"email":"you@example.com"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"disabled",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]}}
      """#),
    "account.enable": Example(
      #"{"email":"you@example.com"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]}}
      """#),
    "account.signOut": Example(
      #"{"email":"you@example.com"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]}}
      """#),
    "account.setPassword": Example(
      #"{"password":"a fine phrase","passwordConfirmation":"a fine phrase","email":"you@example.com"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]}}
      """#),
    "account.create": Example(
      #"{"email":"colleague@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7a98-b516-d3b2d27e0760","email":"colleague@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]}}
      """#),
    "account.export": Example(
      #"{"limit":1}"#,
      #"""
      {"records":[{"email":"you@example.com","passwordHash":"$argon2id$v=19$m=19456,t=2,\#
      p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","id":"01a1fdc0-9860-7ab4-8ab6-4960ec4515ab"}]}
      """#),
    "account.import": Example(
      #"""
      {"records":[{"email":"old@example.com","passwordHash":"$argon2id$v=19$m=19456,t=2,\#
      p=1$c2FsdHNhbHRzYWx0c2FsdA$aGFzaGhhc2hoYXNoaGFzaGhhc2hoYXNoaGFzaGhhc2g"},{"email":"old"}]}
      """#,
      #"""
      {"imported":1,"refused":[{"index":1,"reason":"email.syntax",\#
      "message":"An email address must have an @ between the name and the domain, as in name@example.com."}]}
      """#),
    "account.approve": Example(
      #"{"email":"ada@example.com"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7c27-b60b-80efae0ad69a","email":"ada@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]}}
      """#),
    "account.refuse": Example(
      #"{"email":"bob@example.com"}"#,
      #"{}"#),
    "account.delete": Example(
      #"{"email":"colleague@example.com"}"#,
      #"{}"#),
    "account.addGroups": Example(
      #"{"groups":["staff"],"email":"you@example.com"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":["staff"]}}
      """#),
    "account.removeGroups": Example(
      #"{"groups":["staff"],"email":"you@example.com"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[],\#
      "displayName":"Ada Lovelace"}}
      """#),
    "account.setDisplayName": Example(
      #"{"displayName":"Ada","email":"you@example.com"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":["staff"],\#
      "displayName":"Ada"}}
      """#),
    "group.list": Example(
      #"{"limit":10}"#,
      #"{"groups":[{"name":"staff","members":1}]}"#),
    "invitation.create": Example(
      #"{"domain":"example.org","uses":20,"note":"the choir"}"#,
      #"""
      {"invitation":{"id":"01a1fdc0-9860-7345-b992-3387b666a4c0","domain":"example.org","uses":20,"used":0,"held":0,\#
      "createdAt":"2026-11-21T10:57:00.000000Z","expiresAt":"2026-11-28T10:57:00.000000Z","note":"the choir","by":0},\#
      "code":"7YN183PT14T0WE3M92858JGA8Z"}
      """#),
    "invitation.list": Example(
      #"{}"#,
      #"""
      {"invitations":[{"id":"01a1fdc0-9860-7345-b992-3387b666a4c0","domain":"example.org","uses":20,"used":0,"held":0,\#
      "createdAt":"2026-11-21T10:57:00.000000Z","expiresAt":"2026-11-28T10:57:00.000000Z","note":"the choir","by":0}]}
      """#),
    "invitation.revoke": Example(
      #"{"id":"01a1fdc0-9860-7345-b992-3387b666a4c0"}"#,
      #"""
      {"invitation":{"id":"01a1fdc0-9860-7345-b992-3387b666a4c0","domain":"example.org","uses":20,"used":0,"held":0,\#
      "createdAt":"2026-11-21T10:57:00.000000Z","expiresAt":"2026-11-28T10:57:00.000000Z",\#
      "revokedAt":"2026-11-21T10:57:00.000000Z","note":"the choir","by":0}}
      """#),
  ]
}
