import ClientFiles
import Testing

@testable import ClientGenerator

@Suite("The regions of a client's file")
struct TemplateTests {
  private func filled(_ file: String, _ parts: [String: String] = [:]) -> String {
    Template.filled(file, version: "1.2.3", parts)
  }

  @Test("a region without a part keeps its first mark")
  func unknown() {
    #expect(filled("a\n# regd: begin other\nsample\n# regd: end\nb\n") == "a\n# regd: begin other\nb\n")
  }

  @Test(
    "a line that only resembles a mark remains",
    arguments: [
      "# regd: begin", "# regd: begin two words", "# regd: end types", "# regd begin types", "## regd: end",
      "; regd: end", "\"# regd: begin types\"", "#regd: begin types",
    ])
  func noMark(_ line: String) {
    #expect(filled("a\n\(line)\nb\n", ["types": "T"]) == "a\n\(line)\nb\n")
  }

  @Test("a region and its marks are replaced with its part, and all other lines remain")
  func replaced() {
    let types = "one\n\n  # regd: begin types\n  sample\n\n  # regd: end\n\ntwo\n"
    let methods = "\t// regd: begin methods\n\t// regd: end\n"
    #expect(filled(types + methods, ["types": "  A\n  B", "methods": ""]) == "one\n\n  A\n  B\n\ntwo\n\n")
  }

  @Test("the version is inserted wherever the file names it, except in parts")
  func version() {
    let file = "# @@VERSION@@\nV = \"@@VERSION@@\"\n// regd: begin types\n@@VERSION@@\n// regd: end\n"
    #expect(filled(file, ["types": "@@VERSION@@"]) == "# 1.2.3\nV = \"1.2.3\"\n@@VERSION@@\n")
  }

  @Test("each region of each file has an end, sample code, and a name that no other region of the file has")
  func files() {
    let files = [
      String(cString: client_file_go()), String(cString: client_file_php()), String(cString: client_file_python()),
      String(cString: client_file_typescript()),
    ]
    for file in files {
      var names: [Substring] = []
      var sample: Int?
      for line in file.split(separator: "\n") {
        let words = line.split { $0 == " " || $0 == "\t" }
        if words.starts(with: ["//", "regd:", "begin"]) || words.starts(with: ["#", "regd:", "begin"]) {
          #expect(sample == nil, "\(line)")
          names.append(words.last ?? "")
          sample = 0
        } else if words == ["//", "regd:", "end"] || words == ["#", "regd:", "end"] {
          #expect((sample ?? 0) > 0, "\(names.last ?? "")")
          sample = nil
        } else if let count = sample {
          sample = count + 1
        }
      }
      #expect(sample == nil && Set(names).count == names.count && names.contains("methods"), "\(names)")
    }
  }
}
