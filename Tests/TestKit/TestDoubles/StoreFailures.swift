package import Registration

extension StoreFailure {
  package var isUnknown: Bool { if case .unknown = self { true } else { false } }
  package var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
  package var isTemporary: Bool { isUnknown || isUnavailable }
}
