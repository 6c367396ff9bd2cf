import Testing
import Waiting

@Suite("The queue")
struct FirstInFirstOutTests {
  @Test("elements leave in order, whatever operations happen in between")
  func order() {
    var queue = FirstInFirstOut<Int>()
    var model: [Int] = []
    for number in 0..<2000 {
      switch number * 7919 % 13 {
      case 0...5:
        queue.append(number)
        model.append(number)
      case 6:
        queue.prepend(number)
        model.insert(number, at: 0)
      case 7:
        let gone = model.firstIndex { $0.isMultiple(of: 3) }.map { model.remove(at: $0) }
        #expect(queue.remove { $0.isMultiple(of: 3) } == gone)
      default:
        #expect(queue.first == model.first)
        #expect(queue.popFirst() == (model.isEmpty ? nil : model.removeFirst()))
      }
      #expect(queue.count == model.count && queue.isEmpty == model.isEmpty)
    }
  }

  @Test("the queue releases an element that has left")
  func released() {
    final class Secret {}
    var queue = FirstInFirstOut<Secret>()
    weak var first: Secret?
    do {
      let secret = Secret()
      first = secret
      queue.append(secret)
      queue.append(Secret())
    }
    #expect(first != nil)
    _ = queue.popFirst()
    #expect(first == nil && queue.count == 1)
  }
}
