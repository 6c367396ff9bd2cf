internal import JSONRPC

extension Examples {
  static let owners: [String: Example] = [
    "claim.resend": Example(
      #"{"claim":"e240b206211ed282bf00a3e483f48289"}"#,
      #"""
      {"claim":{"id":"e240b206211ed282bf00a3e483f48289","email":"you@example.com","expiresAt":"2026-11-22T10:57:00.000000Z",\#
      "resendAt":"2026-11-21T10:57:00.000000Z"}}
      """#),
    "claim.list": Example(
      #"{}"#,
      #"""
      {"claims":[{"id":"e240b206211ed282bf00a3e483f48289","kind":"registration","state":"open","email":"you@example.com",\#
      "uid":0,"createdAt":"2026-11-21T10:57:00.000000Z","expiresAt":"2026-11-22T10:57:00.000000Z","attempts":0}]}
      """#),
    "claim.prove": Example(
      #"{"claim":"e240b206211ed282bf00a3e483f48289","code":"482913"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7ab4-8ab6-4960ec4515ab","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]},\#
      "stamp":"3df264b698a806a4501c254a80455e25"}
      """#),
    "recovery.start": Example(
      #"{"email":"you@example.com","language":"en"}"#,
      #"""
      {"claim":{"id":"4a6feb10a71ec946f9c0eeb4653f2705","email":"you@example.com","expiresAt":"2026-11-21T11:12:00.000000Z",\#
      "resendAt":"2026-11-21T10:57:00.000000Z"}}
      """#),
    "recovery.finish": Example(
      #"""
      {"claim":"4a6feb10a71ec946f9c0eeb4653f2705","code":"730561","password":"another phrase",\#
      "passwordConfirmation":"another phrase"}
      """#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7ab4-8ab6-4960ec4515ab","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]},\#
      "stamp":"addf4265803bed3d12fbe8102305ae06"}
      """#),
    "owner.changeEmail": Example(
      #"{"email":"you@example.com","password":"another phrase","newEmail":"me@example.com"}"#,
      #"""
      {"claim":{"id":"06f420621cab612a912cba82745c88a7","email":"me@example.com","expiresAt":"2026-11-22T10:57:00.000000Z",\#
      "resendAt":"2026-11-21T10:57:00.000000Z"}}
      """#),
    "owner.acceptTerms": Example(
      #"{"email":"you@example.com","password":"a fine phrase","terms":"2026-01"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-79a3-b45d-4928a65c9055","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]}}
      """#),
    "owner.setDisplayName": Example(
      #"{"email":"you@example.com","password":"another phrase","displayName":"Ada Lovelace"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":["staff"],\#
      "displayName":"Ada Lovelace"}}
      """#),
    "owner.changePassword": Example(
      #"""
      {"email":"you@example.com","password":"a fine phrase","newPassword":"another phrase",\#
      "newPasswordConfirmation":"another phrase"}
      """#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]},\#
      "stamp":"ed596f925962fc7cc557217064b8fded"}
      """#),
    "owner.signOut": Example(
      #"{"email":"you@example.com","password":"another phrase"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]},\#
      "stamp":"f996c01a260fa6fed95eefc013d773d1"}
      """#),
    "owner.export": Example(
      #"{"email":"you@example.com","password":"another phrase","after":10}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]},\#
      "audit":[{"event":"account.passwordChanged","time":"2026-11-21T10:57:00.000000Z","entry":20,\#
      "account":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","uid":0,"pid":0,"regd":"regd"},\#
      {"event":"account.signedOut","time":"2026-11-21T10:57:00.000000Z","entry":21,\#
      "account":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","uid":0,"pid":0,"regd":"regd"}]}
      """#),
    "owner.delete": Example(
      #"{"email":"you@example.com","password":"another phrase"}"#,
      #"{}"#),
  ]
}
