/// What brings a store's schema up to date.
package struct MigrationPlan: Equatable, Sendable {
  /// The version that it has; 0 where there is none yet.
  package let from: Int
  /// The version that this regd needs.
  package let to: Int
  /// In their order, as the store's own language has them; none if it is up to date.
  package let statements: [String]

  package init(from: Int, to: Int, statements: [String]) {
    self.from = from
    self.to = to
    self.statements = statements
  }
}
