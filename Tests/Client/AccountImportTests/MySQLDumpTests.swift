import Registration
import Testing

@testable import AccountImport

/// INSERT statements that are incomplete or are not about accounts. The corpus contains complete dumps.
@Suite("MySQL dumps", .timeLimit(.minutes(5)))
struct MySQLDumpTests {
  private static let hash = "$2y$04$abcdefghijklmnopqrstuu7ray3QB476bP7yFzr7fPJ8rmAdknKya"
  private static let head = "-- MySQL dump\nINSERT INTO `users` (`id`, `email`, `password`) VALUES "

  @Test(
    "a dump that cannot be read to its end causes an error with the line, the column or the table",
    arguments: [
      ("-- MySQL dump\n", .noTable("users")), ("-- MySQL dump\nINSERT INTO `posts` VALUES (1);\n", .noTable("users")),
      ("-- MySQL dump\nINSERT INTO `users` VALUES (1);\n", .columns(.unreadable)),
      ("-- MySQL dump\nINSERT INTO `users` (`id`) VALUES (1);\n", .columns(.missing("email"))),
      (head, .truncated(line: 2)), (head + "(1", .truncated(line: 2)), (head + "(1,'a", .truncated(line: 2)),
      (head + "(1,'a\\", .truncated(line: 2)), (head + "(1,'a' 'b','c');\n", .truncated(line: 2)),
      (head + "(1,'a','b'),\n", .truncated(line: 2)),
    ] as [(String, SourceFailure)])
  func failures(_ text: String, _ failure: SourceFailure) {
    #expect(Reading(.laravel).failure(text) == failure)
  }

  @Test("a malformed row costs only that row, and text in a string is not a row")
  func rows() throws {
    let text = """
      \(Self.head)(1,'a@b.cc','\(Self.hash)'),(2,'d@e.ff'),
      (4,'),(5,\\'x@y.zz\\',\\'','\(Self.hash)') , ( 6 , _utf8mb4'j@k.ll' , '\(Self.hash)' );
      INSERT INTO `posts` VALUES (1,'INSERT INTO `users` VALUES (7)');
      INSERT  IGNORE INTO `users` (`id`, `email`, `password`) VALUES (8,'m@n.oo','\(Self.hash)');
      REPLACE INTO `users` (`password`, `email`, `id`) VALUES ('\(Self.hash)','p@q.rr',0x39);
      """
    let found = try Reading(.laravel).lines(text).map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
    #expect(
      found == [
        "2 active a@b.cc", "2 record.invalid -", "3 email.syntax ),(5,'x@y.zz','",
        "3 active j@k.ll", "5 active m@n.oo", "6 active p@q.rr",
      ])
  }

  @Test("an empty table is not a failure")
  func empty() throws {
    let text = """
      -- MariaDB dump
      CREATE TABLE `users` (
        `id` bigint NOT NULL,
        `email` varchar(255),
        `password` varchar(255),
        PRIMARY KEY (`id`)
      );
      """
    #expect(try Reading(.laravel).lines(text).isEmpty)
  }
}
