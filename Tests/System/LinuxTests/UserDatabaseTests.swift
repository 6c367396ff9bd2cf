import Glibc
import Testing

@testable import Linux

struct UserDatabaseTests {
  private typealias Outcome = Result<Int32?, SystemError>

  /// Looks up the entry 7 in a database with these answers, one for each call.
  ///
  /// - Returns: The result, and the sizes of the buffers.
  private func find(_ answers: [Int32], isThere: Bool = true) -> (result: Outcome, sizes: [Int]) {
    var (left, sizes) = (answers[...], [Int]())
    let result: Outcome = Result { () throws(SystemError) in
      try UserDatabase.find(
        "getgrnam_r", Int32(7),
        { entry, _, bytes, found in
          sizes.append(bytes)
          found.pointee = isThere ? entry : nil
          return left.popFirst() ?? 0
        }, { $0 })
    }
    return (result, sizes)
  }

  @Test("only an entry that the C library reports as absent is absent; every other answer is an error")
  func errors() {
    for number in [ENOENT, ESRCH, EIO, EMFILE, ECONNREFUSED] {
      #expect(find([number], isThere: false).result == .failure(SystemError("getgrnam_r", number)))
    }
    #expect(find([0], isThere: false).result == .success(nil))
    #expect(find([0]).result == .success(7))
  }

  @Test("an entry may need a larger buffer, up to a bound, and an interrupted look-up is repeated")
  func buffers() {
    let endless = find([Int32](repeating: ERANGE, count: 100))
    #expect(endless.result == .failure(SystemError("getgrnam_r", ERANGE)))
    #expect(endless.sizes.last == 1 << 24 && endless.sizes.count == 9)
    let large = find([ERANGE, ERANGE, 0])
    #expect(large.result == .success(7) && large.sizes == [1 << 16, 1 << 17, 1 << 18])
    let interrupted = find([EINTR, 0])
    #expect(interrupted.result == .success(7) && interrupted.sizes == [1 << 16, 1 << 16])
  }

  @Test("the machine's users and groups are found by name, and an unknown name is not an error")
  func names() throws {
    #expect(try UserDatabase.user(named: "root") == 0 && UserDatabase.group(named: "root") == 0)
    #expect(try UserDatabase.user(named: "no-such-user") == nil && UserDatabase.group(named: "no-such-group") == nil)
    #expect(UserDatabase.name(ofUser: 0) == "root" && UserDatabase.name(ofGroup: 0) == "root")
    #expect(UserDatabase.groups(ofUser: 0).contains(0))
  }
}
