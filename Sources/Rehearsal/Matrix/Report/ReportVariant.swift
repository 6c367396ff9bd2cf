/// A rendering and a store. Every environment and flow is played in each variant.
struct ReportVariant {
  let rendering: String
  let store: String
  /// A short name: the initials of rendering and store if they are unique, otherwise both names.
  let label: String

  /// All variants, in the order of their first cells.
  static func all(in cells: [Cell]) -> [ReportVariant] {
    var pairs: [(rendering: String, store: String)] = []
    for cell in cells where !pairs.contains(where: { $0 == (cell.rendering, cell.store) }) {
      pairs.append((cell.rendering, cell.store))
    }
    let initials = pairs.map { "\($0.rendering.prefix(1))\($0.store.prefix(1))" }
    let areDistinct = Set(initials).count == pairs.count && initials.allSatisfy { $0.count == 2 }
    return zip(pairs, initials).map { pair, initials in
      ReportVariant(
        rendering: pair.rendering, store: pair.store, label: areDistinct ? initials : "\(pair.rendering)/\(pair.store)")
    }
  }

  static func label(of cell: Cell, in variants: [ReportVariant]) -> String {
    variants.first { $0.rendering == cell.rendering && $0.store == cell.store }?.label ?? ""
  }
}
