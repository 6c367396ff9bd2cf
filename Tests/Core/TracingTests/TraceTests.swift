import Testing

@testable import Tracing

@Suite("Traces")
struct TraceTests {
  @Test("outside of traced work, there is no current trace")
  func none() { #expect(Trace.current == nil) }

  @Test("a traceparent has version 00, the trace's id and a new nonzero id for each request")
  func header() throws {
    let trace = Trace(of: "registration.register")
    var requests: Set<String> = []
    for _ in 0..<1000 {
      let header = trace.traceparent()
      let parts = try #require(header.wholeMatch(of: /00-([0-9a-f]{32})-([0-9a-f]{16})-01/))
      #expect(String(parts.output.1) == trace.id.description)
      #expect(parts.output.2.contains { $0 != "0" })
      requests.insert(String(parts.output.2))
    }
    #expect(requests.count == 1000)
    #expect(Set((0..<1000).map { _ in Trace(of: "x").id }).count == 1000)
  }

  @Test("child tasks have the trace of their parent and no other")
  func children() async {
    let ids = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<10 {
        group.addTask {
          let trace = Trace(of: "form.submit", by: .init(uid: UInt32(number), pid: 1))
          return await Trace.$current.withValue(trace) {
            async let child = Trace.current?.id
            await Task.yield()
            return await child == trace.id && Trace.current?.caller?.uid == UInt32(number)
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(ids == Array(repeating: true, count: 10))
  }
}
