internal import JSONRPC

extension Examples {
  static let calling: [String: Example] = [
    "rpc.ping": Example(
      #"{}"#,
      #""pong""#),
    "rpc.serverInfo": Example(
      #"{}"#,
      #"""
      {"name":"regd","version":"1.2.3","uptimeSeconds":42,"limits":{"messageBytes":1048576,"depth":64,"batchItems":100,\#
      "idBytes":1024,"responseBytes":1048576,"inFlightPerConnection":64,"inFlightPerUID":8192,"connections":4096,\#
      "connectionsPerUID":1024,"queuedBytesPerConnection":1048576,"queuedBytesPerUID":8388608,"heldBytesPerUID":33554432,\#
      "stalledSeconds":30,"idleSeconds":0,"requestsPerSecondPerUID":0,"requestSeconds":30},"network":{"backend":"http"},\#
      "store":{"backend":"sqlite"},"environment":{"name":"success",\#
      "summary":"the upstream accepts every registration","gives":"success"},"registration":{"mode":"open","verification":"none","approval":"none","password":{"minimumLength":8,\#
      "maximumLength":256,"refuseCommon":true,"refuseResemblingEmail":true,"refuseBreached":false},\#
      "email":{"maximumLength":254,"internationalized":true}}}
      """#),
    "rpc.cancel": Example(
      #"{"id":7}"#,
      #"{}"#),
    "$/cancelRequest": Example(
      #"{"id":7}"#,
      #"{}"#),
    "rpc.language": Example(
      #"{"language":"en"}"#,
      #"{"language":"en"}"#),
    "registration.validate": Example(
      #"{"email":"you@example","password":"12345"}"#,
      #"""
      {"emailValid":false,"passwordValid":false,"registrationEnabled":false,"normalizedEmail":null,\#
      "problems":[{"field":"email","reason":"email.domain","message":"The domain after the @ needs a dot,\#
       as in example.com."},{"field":"password","reason":"password.tooShort",\#
      "message":"A password needs at least 8 characters; this one has 5."},{"field":"password","reason":"password.common",\#
      "message":"This password is too common. Please choose another one."},{"field":"passwordConfirmation",\#
      "reason":"password.confirmationMissing","message":"Enter the password again to confirm it."}]}
      """#),
    "registration.checkEmail": Example(
      #"{"email":"you@example.com"}"#,
      #"{"available":true}"#),
    "registration.register": Example(
      #"""
      {"email":"you@example.com","password":"a fine phrase","passwordConfirmation":"a fine phrase",\#
      "requestId":"5f3a6c1e-90d7-4b1f-9a43-2c8e7d6b5a40","origin":"192.0.2.7"}
      """#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]},\#
      "stamp":"ddd794ac5604ce1f38701dae301af207"}
      """#),
    "registration.status": Example(
      #"{"requestId":"5f3a6c1e-90d7-4b1f-9a43-2c8e7d6b5a40"}"#,
      #"""
      {"state":"active","account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]}}
      """#),
    "session.signIn": Example(
      #"{"email":"you@example.com","password":"a fine phrase","origin":"192.0.2.7"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]},\#
      "stamp":"ddd794ac5604ce1f38701dae301af207"}
      """#),
    "session.check": Example(
      #"{"account":"01a1fdc0-9860-7643-9676-1b3cb7b36011","stamp":"ddd794ac5604ce1f38701dae301af207"}"#,
      #"""
      {"account":{"id":"01a1fdc0-9860-7643-9676-1b3cb7b36011","email":"you@example.com","state":"active",\#
      "createdAt":"2026-11-21T10:57:00.000000Z","updatedAt":"2026-11-21T10:57:00.000000Z","groups":[]}}
      """#),
    "form.open": Example(
      #"{"kind":"signIn"}"#,
      #"""
      {"form":1,"state":{"email":"","signInEnabled":false,"problems":[{"field":"email","reason":"email.missing",\#
      "message":"Enter an email address, for example name@example.com."},{"field":"password",\#
      "reason":"password.missing","message":"Enter a password."}],"errorMessage":null,"signedIn":false}}
      """#),
    "form.set": Example(
      #"{"form":1,"email":"you@example.com","password":"a fine phrase"}"#,
      #"{"state":{"email":"you@example.com","signInEnabled":true,"problems":[],"errorMessage":null,"signedIn":false}}"#),
    "form.submit": Example(
      #"{"form":1}"#,
      #"""
      {"state":{"email":"you@example.com","signInEnabled":true,"problems":[],"errorMessage":null,"signedIn":true,\#
      "stamp":"ddd794ac5604ce1f38701dae301af207"}}
      """#),
    "form.close": Example(
      #"{"form":1}"#,
      #"{}"#),
  ]
}
