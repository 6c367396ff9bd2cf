/// Formats numbers for people: few digits, and a unit.
package enum Figures {
  /// A number of at most four digits and a unit: 0.04, 3.1, 999, 12.3 k, 1.2 M, 345.6 G. Below 0 counts as 0.
  package static func short(_ number: Double) -> String {
    let number = max(0, number)
    guard number < 999.5 else { return scaled(number, by: 1000, ["k", "M", "G", "T"]) }
    if number == 0 || number >= 9.95 { return String(Int(number.rounded())) }
    return decimals(number, number < 0.995 ? 2 : 1)
  }

  /// A count: 0, 3, 999, 12.3 k.
  package static func count(_ count: Int) -> String { count < 1000 ? "\(max(0, count))" : short(Double(count)) }

  /// A duration in its most readable unit: 150 µs, 1.5 ms, 250 ms, 1.3 s.
  package static func duration(_ seconds: Double) -> String {
    let micro = max(0, seconds) * 1e6
    if micro < 999.5 { return "\(digits(micro)) µs" }
    return micro < 999_500 ? "\(digits(micro / 1e3)) ms" : "\(digits(micro / 1e6)) s"
  }

  /// A long duration: 0 s, 59 s, 3 min 7 s, 2 h 5 min, 1 d 2 h. At most 10⁹ s are shown.
  package static func span(_ seconds: Double) -> String {
    // Int(_:) traps beyond its range
    let seconds = Int(min(max(seconds, 0), 1e9).rounded())
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
    if seconds < 86_400 { return "\(seconds / 3600) h \(seconds / 60 % 60) min" }
    return "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
  }

  /// A size: 0 B, 1023 B, 1.5 MiB.
  package static func bytes(_ bytes: Int) -> String {
    bytes < 1024 ? "\(bytes) B" : scaled(Double(bytes), by: 1024, ["KiB", "MiB", "GiB", "TiB"])
  }

  /// A share of a whole, 0 to 1: 0 %, 0.03 %, 3.1 %, 42 %.
  package static func percent(_ share: Double) -> String { "\(short(share * 100)) %" }

  /// A number with this many digits after the point.
  package static func decimals(_ number: Double, _ count: Int) -> String {
    let factor = (0..<count).reduce(1.0) { factor, _ in factor * 10 }
    let scaled = Int(min(max(number, 0) * factor, 1e15).rounded())
    let fraction = String(scaled % Int(factor))
    return "\(scaled / Int(factor)).\(String(repeating: "0", count: count - fraction.count))\(fraction)"
  }

  private static func digits(_ number: Double) -> String {
    number == 0 || number >= 9.95 ? "\(Int(number.rounded()))" : decimals(number, 1)
  }

  private static func scaled(_ number: Double, by step: Double, _ units: [String]) -> String {
    // 999 950 is 1.0 M, because it would round up to 1000.0 k
    var (scaled, units) = (number / step, units[...])
    while scaled >= step - 0.05, units.count > 1 {
      scaled /= step
      units.removeFirst()
    }
    return "\(decimals(scaled, 1)) \(units.first ?? "")"
  }
}
