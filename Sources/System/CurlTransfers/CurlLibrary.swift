internal import CCurl

/// libcurl itself, which is loaded when it is first used.
package enum CurlLibrary {
  /// Why it cannot be used, for an operator.
  package static var failure: String {
    curl_load_failure().map { "libcurl cannot be loaded: \(String(cString: $0))" } ?? "libcurl cannot be set up"
  }

  /// Why it could not make what it was asked for.
  static var refusal: String { curl_load_failure() == nil ? "out of memory" : failure }
}
