import CoreMetrics
import OpenMetrics
import Synchronization
import Testing

@testable import OpenMetrics

/// Tests that concurrent use loses nothing, and that concurrent reads are consistent.
@Suite("Metrics of many tasks")
struct ConcurrencyTests {
  private static let tasks = 16
  private static let rounds = 5000

  @Test("metrics count everything, whichever thread creates them")
  func totals() async {
    let registry = OpenMetricsRegistry()
    await withTaskGroup { group in
      for task in 0..<Self.tasks {
        group.addTask {
          let counter = Counter(label: "c", factory: registry)
          let own = Counter(label: "own", dimensions: [("task", "\(task)")], factory: registry)
          let fractions = FloatingPointCounter(label: "f", factory: registry)
          let timer = CoreMetrics.Timer(label: "t_seconds", factory: registry)
          let recorder = Recorder(label: "r", factory: registry)
          let meter = Meter(label: "m", factory: registry)
          for round in 0..<Self.rounds {
            counter.increment(by: 2)
            own.increment()
            fractions.increment(by: 0.5)
            timer.recordNanoseconds(1_000_001)
            recorder.record(round % 2 * 30)
            meter.increment(by: 2)
            meter.decrement(by: 1)
          }
        }
      }
    }
    let lines = registry.text().split(separator: "\n")
    let all = Self.tasks * Self.rounds
    for line in [
      "c_total \(2 * all)", "f_total \(all / 2)", "m \(all)", "t_seconds_count \(all)",
      "t_seconds_bucket{le=\"0.001\"} 0", "t_seconds_bucket{le=\"0.0025\"} \(all)", "t_seconds_sum 80.00008",
      "r_bucket{le=\"20.0\"} \(all / 2)", "r_count \(all)", "r_sum \(15 * all)",
    ] {
      #expect(lines.contains(Substring(line)))
    }
    for task in 0..<Self.tasks { #expect(lines.contains("own_total{task=\"\(task)\"} \(Self.rounds)")) }
  }

  @Test("a counter that many tasks fill up at once does not wrap")
  func full() async {
    let registry = OpenMetricsRegistry()
    let counter = Counter(label: "c", factory: registry)
    let seen = await withTaskGroup(of: Set<Substring>.self) { group in
      counter.increment(by: Int64.max)
      for task in 0..<Self.tasks {
        group.addTask {
          var seen: Set<Substring> = []
          for _ in 0..<500 {
            counter.increment(by: task % 2 == 0 ? Int64.max : 1 << 39)
            seen.formUnion(registry.text().split(separator: "\n").filter { $0.hasPrefix("c_total") })
          }
          return seen
        }
      }
      return await group.reduce(into: Set<Substring>()) { $0.formUnion($1) }
    }
    #expect(seen == ["c_total 9223372036854775807"])
  }

  @Test("a full sum stays full, however much is added")
  func overfull() {
    let sum = Tally()
    sum.add(UInt64(Int64.max))
    // often enough to fill the 64 bits if nothing is taken back
    for _ in 0..<(1 << 23) + 16 { sum.add((1 << 40) - 1) }
    #expect(sum.value == UInt64(Int64.max))
  }

  @Test("a concurrent read of a histogram has buckets that match its count, and a sum that is not too low")
  func reading() async throws {
    let registry = OpenMetricsRegistry()
    let timer = CoreMetrics.Timer(label: "t_seconds", factory: registry)
    let reader = Reader()
    try await withThrowingTaskGroup { group in
      group.addTask {
        defer { reader.isDone.store(true, ordering: .relaxed) }
        var (last, reads) = (0.0, 0)  // only reads after new recordings count
        while reads < 500 {
          let text = registry.text()
          let short = try number(#"t_seconds_bucket{le="1.0"}"#, in: text)
          let all = try number(#"t_seconds_bucket{le="+Inf"}"#, in: text)
          #expect(try number("t_seconds_count", in: text) == all)
          #expect(try number("t_seconds_sum", in: text) >= short + 20 * (all - short))
          if all > last { (last, reads) = (all, reads + 1) }
          await Task.yield()
        }
      }
      for seconds in [1, 20] {
        group.addTask {
          while !reader.isDone.load(ordering: .relaxed) {
            for _ in 0..<100 { timer.recordSeconds(seconds) }
            await Task.yield()  // gives the reader a turn if all tasks share one thread
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

private final class Reader: Sendable {
  let isDone = Atomic<Bool>(false)
}

/// The value of a sample.
private func number(_ sample: String, in text: String) throws -> Double {
  let line = text.split(separator: "\n").first { $0.hasPrefix(sample + " ") }
  return try #require(line.flatMap { Double($0.dropFirst(sample.count + 1)) })
}
