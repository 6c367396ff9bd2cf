import Matrix
import TestKit

/// A matrix of the regd that was built, with the server that all tests share: one of its own takes longer than a few cells.
func matrix(in directory: String, filter: String? = nil) throws -> Matrix {
  try Matrix(regd: Places.regd, directory: directory, filter: filter, servers: PostgreSQL.shared)
}
