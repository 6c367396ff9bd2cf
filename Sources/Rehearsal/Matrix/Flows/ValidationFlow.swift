extension Flow {
  /// Validation uses neither network nor store, so its answers are the same under every condition.
  static let validation = Flow(name: "validation", summary: "all broken rules at once, whatever the network does") {
    stage in
    let password = Stage.password
    try expect("no @", stage.validate("email.test.com", password, password), "email.syntax")
    try expect("no dot", stage.validate("email@test", password, password), "email.domain")
    try expect("nothing", stage.validate(nil, nil, nil), "email.missing password.missing password.confirmationMissing")
    try expect("short", stage.validate("email@test.com", "12345", "12345"), "password.tooShort")
    try expect("mismatch", stage.validate("email@test.com", "123456", "654321"), "password.mismatch")
    try expect("six characters", stage.validate("email@test.com", "123456", "123456"), "valid")
    return "valid, and 5 problems"
  }
}
