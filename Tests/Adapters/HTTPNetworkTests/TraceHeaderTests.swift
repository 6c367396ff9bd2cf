import Registration
import TestKit
import Testing
import Tracing

@testable import HTTPNetwork

@Suite("The header traceparent", .timeLimit(.minutes(10)))
struct TraceHeaderTests {
  @Test("a request carries the trace id of its work and an id for itself, and outside of any work no traceparent")
  func header() async throws {
    let (requests, sink) = AsyncStream.makeStream(of: RawRequest.self)
    try await withUpstream {
      _ in
    } serving: { connection in
      while let request = connection.readRequest() {
        sink.yield(request)
        connection.answer(200, #"{"id":"x","available":true}"#)
      }
    } body: { network, _, _ in
      #expect(await network.askAboutSomebody() == .success(true))
      let trace = Trace(of: "registration.register")
      await Trace.$current.withValue(trace) {
        #expect(await network.askAboutSomebody() == .success(true))
        #expect(await network.registerSomebody() == .success(.registered))
      }
      sink.finish()
      let headers = await requests.reduce(into: [String?]()) { found, request in
        found.append(
          request.head.split(separator: "\r\n").first { $0.hasPrefix("traceparent: ") }.map { String($0.dropFirst(13)) }
        )
      }
      try #require(headers.count == 3)
      #expect(headers[0] == nil)
      let traced = headers.compactMap { $0 }
      #expect(traced.allSatisfy { $0.hasPrefix("00-\(trace.id)-") && $0.hasSuffix("-01") && $0.utf8.count == 55 })
      #expect(Set(traced).count == 2)
    }
  }
}
