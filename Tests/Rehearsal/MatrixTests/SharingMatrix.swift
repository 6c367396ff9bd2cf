import Matrix
import TestKit

/// A matrix of the built regd with the PostgreSQL server that all tests share. A separate server takes longer than a
/// few cells.
func matrix(in directory: String, filter: String? = nil) throws -> Matrix {
  try Matrix(regd: Places.regd, directory: directory, filter: filter, servers: PostgreSQL.shared)
}
