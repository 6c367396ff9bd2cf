import Testing

@testable import FairQueues

@Suite("A fair queue")
struct FairQueueTests {
  private typealias Queue = FairQueue<Int, String, String>

  private func all(_ queue: inout Queue, where mayGo: (Int) -> Bool = { _ in true }) -> [String] {
    var taken: [String] = []
    while let next = queue.popFirst(where: mayGo) { taken.append(next.element) }
    return taken
  }

  @Test("an empty queue returns no element")
  func empty() {
    var queue = Queue()
    #expect(queue.popFirst() == nil)
    #expect(queue.remove(of: 1, "a") { _ in true } == nil)
    #expect(queue.count == 0 && queue.count(of: 1) == 0 && queue.count(of: 1, "a") == 0)
  }

  @Test("users take turns, whatever the order and number of their elements")
  func users() {
    var queue = Queue()
    for number in 1...4 { queue.append("loud \(number)", of: 1, "") }
    queue.append("quiet", of: 2, "")
    #expect(all(&queue) == ["loud 1", "quiet", "loud 2", "loud 3", "loud 4"])
    #expect(queue.count == 0)
  }

  @Test("many origins of one user share that user's turns")
  func nesting() {
    var queue = Queue()
    for number in 1...4 { queue.append("loud \(number)", of: 1, "origin \(number)") }
    for number in 1...2 { queue.append("quiet \(number)", of: 2, "") }
    #expect(all(&queue) == ["loud 1", "quiet 1", "loud 2", "quiet 2", "loud 3", "loud 4"])
  }

  @Test("the origins of a user take turns")
  func origins() {
    var queue = Queue()
    for number in 1...3 { queue.append("a \(number)", of: 1, "a") }
    queue.append("b", of: 1, "b")
    #expect(all(&queue) == ["a 1", "b", "a 2", "a 3"])
  }

  @Test("a preferred element goes before the other elements of its user, but not before those of another user")
  func preferred() {
    var queue = Queue()
    queue.append("1 usual", of: 1, "a")
    queue.append("2 usual", of: 2, "a")
    queue.append("1 preferred", of: 1, "b", isPreferred: true)
    #expect(queue.count(of: 1, "b") == 0)
    #expect(all(&queue) == ["1 preferred", "2 usual", "1 usual"])
  }

  @Test("an element that is held back keeps its place in the queue")
  func heldBack() {
    var queue = Queue()
    for user in 1...3 { for number in 1...2 { queue.append("\(user) \(number)", of: user, "") } }
    #expect(queue.popFirst { $0 == 3 }?.element == "3 1")
    #expect(queue.popFirst { $0 > 3 } == nil)
    #expect(all(&queue) == ["1 1", "2 1", "3 2", "1 2", "2 2"])
  }

  @Test("removing an element keeps the order of the others and leaves no empty turn")
  func removal() {
    var queue = Queue()
    for number in 1...3 { queue.append("a \(number)", of: 1, "a") }
    queue.append("b", of: 2, "b")
    #expect(queue.remove(of: 1, "a") { $0 == "a 2" } == "a 2")
    #expect(queue.remove(of: 1, "a") { $0 == "a 2" } == nil)
    #expect(queue.remove(of: 2, "b") { _ in true } == "b")
    #expect(queue.count == 2 && queue.count(of: 2) == 0)
    queue.append("b again", of: 2, "b")
    #expect(all(&queue) == ["a 1", "b again", "a 3"])
    #expect(queue.count == 0)
  }

  @Test("under random operations the queue returns every element once, in order within each origin")
  func random() {
    var queue = FairQueue<Int, Int, Int>()
    var waiting: [[Int]: [Int]] = [:]
    var next = 0
    for _ in 0..<5000 {
      let (user, origin) = (Int.random(in: 0..<4), Int.random(in: 0..<3))
      switch Int.random(in: 0..<10) {
      case 0..<5:
        queue.append(next, of: user, origin)
        waiting[[user, origin], default: []].append(next)
        next += 1
      case 5..<9:
        guard let taken = queue.popFirst()?.element else { continue }
        let member = waiting.first { $0.value.first == taken }?.key
        #expect(member != nil, "\(taken) was not the first of its queue")
        if let member { waiting[member]?.removeFirst() }
      default:
        guard let some = waiting[[user, origin]]?.randomElement() else { continue }
        #expect(queue.remove(of: user, origin) { $0 == some } == some)
        waiting[[user, origin]]?.removeAll { $0 == some }
      }
      #expect(queue.count == waiting.values.reduce(0) { $0 + $1.count })
    }
  }
}
