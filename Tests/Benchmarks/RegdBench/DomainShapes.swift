internal import AddressNormalization
internal import Linux
internal import RegdClient
internal import RegdProcesses
internal import Registration

/// `regd-bench domains`: the cost of a file of blocked domains, compared with a regd without one.
enum DomainShapes {
  private static let lines = 1_000_000

  static func measure(_ products: String) throws {
    print("email.blockedDomainsFile, \(lines) lines, medians of \(RegdBench.rounds) rounds")
    let plain = text { "host-\($0).domain-\($0).example\n" }
    try TemporaryDirectory.with { directory in
      let without = try configuration(directory, list: "")
      let bare = try check(products, without, directory)
      // like real lists, with mostly ASCII names, and then without ASCII names
      for (title, text) in [
        ("ASCII", plain),
        ("one in twenty beyond ASCII", text { $0 % 20 == 0 ? "b\u{FC}cher-\($0).example\n" : "host-\($0).example\n" }),
        ("all beyond ASCII", text { "b\u{FC}cher-\($0).example\n" }),
      ] {
        try FileWriting.write(text, to: "\(directory)/list")
        let seconds = try check(products, configuration(directory, list: "\(directory)/list"), directory) - bare
        print("  read, \(title): \(RegdBench.decimal(seconds, 2)) s (2 or less)")
      }
      try FileWriting.write(plain, to: "\(directory)/list")
      try memory(products, directory)
    }
    lookUps(plain)
  }

  private static func text(_ line: (Int) -> String) -> String { (0..<lines).map(line).joined() }

  private static func configuration(_ directory: String, list: String) throws -> String {
    let path = "\(directory)/regd.yaml"
    try FileWriting.write(
      """
      socket: {path: \(directory)/s, group: ""}
      access: {admin: {groups: []}}
      store: {backend: memory}
      log: {level: error}
      email: {blockedDomainsFile: "\(list)"}
      """, to: path)
    return path
  }

  private static func check(_ products: String, _ configuration: String, _ directory: String) throws -> Double {
    let times = try (0..<RegdBench.rounds).map { _ in
      let start = ContinuousClock.now
      let run = try RegdProcess.run(
        program: "\(products)/regd", arguments: ["--check-config", "--config", configuration], directory: directory)
      guard run.status == 0 else { throw Load.Failed(description: run.output) }
      return (ContinuousClock.now - start).seconds
    }
    return RegdBench.median(times)
  }

  private static func memory(_ products: String, _ directory: String) throws {
    let file = try configuration(directory, list: "")
    let regd = try RegdProcess(
      program: "\(products)/regd", arguments: ["--config", file], environment: [:], directory: directory)
    defer { regd.end() }
    let client = try RegdClient(path: "\(directory)/s", timeoutSeconds: 60)
    _ = try client.call("rpc.ping").get()
    let before = try CallerShapes.residentKiB(regd.pid)
    func more(_ name: String) throws -> String {
      RegdBench.decimal((try CallerShapes.residentKiB(regd.pid, name) - before) / 1024, 1)
    }
    _ = try configuration(directory, list: "\(directory)/list")
    _ = try client.call("daemon.reload").get()
    print("  memory: \(try more("VmRSS:")) MiB, at most \(try more("VmHWM:")) while it was read (48 or less)")
    for _ in 0..<3 { _ = try client.call("daemon.reload").get() }
    print("  after three reloads: \(try more("VmRSS:")) MiB, at most \(try more("VmHWM:")) (48 or less)")
  }

  private static func lookUps(_ text: String) {
    var reader = DomainListReader(normalizer: UnicodeNormalizer())
    Array(text.utf8).withUnsafeBytes { reader.take($0) }
    let list = reader.finish().list
    for (title, name) in [
      ("listed", { "host-\($0).domain-\($0).example" }), ("three labels", { "host-\($0).domain-\($0 + 1).example" }),
      ("127 labels", { String(repeating: "\($0 % 10).", count: 126) + "z" }),
    ] as [(String, (Int) -> String)] {
      let names = (0..<100_000).map { _ in Array(name(Int.random(in: 0..<lines)).utf8) }
      var found = 0
      let start = ContinuousClock.now
      for name in names where name.withUnsafeBytes({ list.covers($0) }) { found += 1 }
      let microseconds = (ContinuousClock.now - start).seconds * 1e6 / Double(names.count)
      print(
        "  a look-up, \(title): \(RegdBench.decimal(microseconds, 3)) µs (2 or less; \(found * 100 / names.count) % listed)"
      )
    }
  }
}
