/// The part of the configuration file that says who may register.
struct Doorway {
  var isClosed = false
  var depth = 64
  /// Incremented by each good file that is written, and by each reload that puts one in force.
  var generation = 0
  /// Whether the file's content is in force.
  var isInForce = true
  /// Whether a reload is in progress, which would read a file written now.
  var isBusy = false

  /// Notes that the next process of regd begins, which reads the file in its present state.
  mutating func beginUnderFile() {
    generation += 1
    isInForce = true
  }
}
