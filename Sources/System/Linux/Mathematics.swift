internal import Glibc

/// Functions of <math.h> that the standard library lacks.
package enum Mathematics {
  /// e to the power of `exponent`.
  package static func exp(_ exponent: Double) -> Double { Glibc.exp(exponent) }
  package static func pow(_ base: Double, _ exponent: Double) -> Double { Glibc.pow(base, exponent) }
}
