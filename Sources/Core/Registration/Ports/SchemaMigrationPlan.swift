/// The steps that bring a store's schema up to date.
package struct SchemaMigrationPlan: Equatable, Sendable {
  /// The version of the present schema, or 0 if there is no schema yet.
  package let from: Int
  /// The version that this regd needs.
  package let to: Int
  /// The statements in order, in the store's own language. Empty if the schema is up to date.
  package let statements: [String]

  package init(from: Int, to: Int, statements: [String]) {
    self.from = from
    self.to = to
    self.statements = statements
  }
}
