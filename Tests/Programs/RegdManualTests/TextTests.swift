import Testing

@testable import regd_manual

@Suite("Texts of man pages")
struct TextTests {
  @Test("a comment below a key continues the key's comment, and a comment above a section belongs to the section")
  func keys() throws {
    let sections = KeySection.all(
      in: """
        # The file. See `regd --check-config`.

        # Where callers
        # connect.
        socket:
          # nothing is above the first key
          path: /run/s   # absolute; # is no end
                         # of it
          group: ""
        network:
          http:          # the upstream
            baseURL: ""
        """)
    #expect(sections.map(\.name) == ["socket", "network"])
    #expect(sections[0].comment == "Where callers connect.")
    #expect(sections[0].keys.map(\.path) == ["socket.path", "socket.group"])
    #expect(sections[0].keys.map(\.value) == ["/run/s", #""""#])
    #expect(sections[0].keys.map(\.comment) == ["absolute; # is no end of it", ""])
    #expect(sections[1].comment == "")
    #expect(sections[1].keys.map(\.path) == ["network.http", "network.http.baseURL"])
  }

  @Test("an article without a table, a heading or a list is only text, and code has no headings or tables")
  func article() {
    let plain = ArticleText(name: "A", "Only a line.")
    #expect(plain.sections.isEmpty && plain.topics.isEmpty)
    let article = ArticleText(
      name: "B",
      """
      # The title

      The abstract.

      ## First
      Text.
      ```
      ## no head
      | no | table |
      ```
      | a | b |
      |---|---|
      | `x \\| y` | z |
      ### Third
      End.

      ## Topics

      ### Group

      - <doc:B>
      """)
    #expect(article.title == "The title")
    #expect(article.abstract == "The abstract.")
    #expect(article.sections.map(\.title) == ["First"])
    #expect(article.topics.map { "\($0.group)/\($0.article)" } == ["Group/B"])
    let table = MarkdownTable(["| a | b |", "|---|---|", #"| `x \| y` | z |"#])
    #expect(
      article.sections.first?.blocks == [
        .text("Text.\n```\n## no head\n| no | table |\n```"), table.map(ArticleText.Block.table) ?? .text("none"),
        .heading("Third"), .text("End."),
      ])
  }

  @Test("a heading ends with commands of regctl, and only indented lines outside fences are commands")
  func commands() throws {
    let article = ArticleText(
      name: "A",
      "# T\n\nAbstract.\n\n## Codes: regctl claim, regctl sign-in\nText.\n\n    regctl claim x\n\n## Other\n```text\n    regctl y\n```\n"
    )
    #expect(article.sections.map(\.heading) == ["Codes", "Other"])
    #expect(article.sections.map(\.commands) == [["claim", "sign-in"], []])
    #expect(article.codeLines == ["regctl claim x"])
  }

  @Test("an article that no page names has a page with its name, unless it is for developers")
  func unnamedArticle() {
    let page = ManualPage.page(of: "SetUpNginx", in: "How-to guides", title: { _ in "Set up `nginx`." })
    #expect(page?.file == "regd-set-up-nginx.7")
    #expect(page?.summary == "Set up nginx")
    #expect(page?.articles == ["SetUpNginx"])
    #expect(ManualPage.page(of: "Extending", in: "For developers", title: \.self) == nil)
  }

  @Test("a table becomes a list of its sentences, and short facts with their headings follow each sentence")
  func tables() throws {
    #expect(MarkdownTable(["| a |", "|---|"]) == nil)
    let wide = try #require(
      MarkdownTable(["| code | reason | meaning |", "|---|---|---|", "| 5 | `r.s` | it is so |"]))
    #expect(wide.definitions == "`r.s`\n\n:   it is so\\\n    *code*: 5")
    let narrow = try #require(MarkdownTable(["| key | value |", "|---|---|", "| none | is code |"]))
    #expect(narrow.definitions == "none\n\n:   is code")
    let pairs = MarkdownTable([
      "| key | value | meaning |", "|---|---|---|", "| `k` | `a` | one |", "| `k` | `b` | two |",
    ])
    #expect(pairs?.definitions == "`a`\n\n:   one\\\n    *key*: `k`\n\n`b`\n\n:   two\\\n    *key*: `k`")
    let same = MarkdownTable(["| key | value | meaning |", "|---|---|---|", "| k | a | one |", "| k | b | two |"])
    #expect(same?.definitions == "k a\n\n:   one\n\nk b\n\n:   two")
    let ragged = try #require(MarkdownTable(["| a | b |", "|---|---|", "| only one |", "| c | d |"]))
    #expect(ragged.rows == [["c", "d"]])
  }

  @Test("characters that only look like markup are escaped in text, but not in code")
  func escapes() {
    #expect(Markdown.plain("a*b_c <d> `e*f` \\ [g]") == #"a\*b\_c \<d\> `e*f` \\ \[g\]"#)
    #expect(Markdown.plain("with --no-wait, `--a` (--b-c) a--d -- e") == "with `--no-wait`, `--a` (`--b-c`) a--d -- e")
    #expect(
      Markdown.paragraphs("regctl a --b\nregd c\n\nregctl is d.") == ["    regctl a --b\n    regd c", "regctl is d."])
    #expect(Markdown.reference("nc(1)") == "**nc**(1)")
  }

  @Test("code is bold and has hyphens that can be copied, and text keeps its own hyphens")
  func roff() {
    #expect(Roff.finished(#"a-b \fC--c-d\fR e-f \fB-g\fR"#) == #"a-b \fB\-\-c\-d\fR e-f \fB\-g\fR"#)
    #expect(Roff.finished(".EX\nnc -U\n.EE\nnc -U") == ".EX\nnc \\-U\n.EE\nnc -U")
    let comment = "# \(String(repeating: "word ", count: 14))end"
    #expect(Roff.finished(".EX\nnc -U   \(comment)\n.EE") == ".EX\n\(comment)\nnc \\-U\n.EE")
    #expect(Roff.finished("\\fCa b\nc\\fR") == "\\fBa b\nc\\fR")
    #expect(Roff.finished(".SH\nNAME\n.LP\ntext\n.LP\nmore") == ".SH\nNAME\ntext\n.LP\nmore")
    #expect(Roff.finished(".IP \"1.  \"") == ".IP \"1.\" 4")
    #expect(Roff.finished(".TH \"a\"\n") == ".TH \"a\"\n.nr HY 0\n.nh\n.ad l\n")
  }
}
