internal import CCurl

/// libcurl itself, loaded at its first use.
package enum CurlLibrary {
  /// Why libcurl cannot be used, for an operator. Meaningful only after libcurl has failed.
  package static var failure: String {
    curl_load_failure().map { "libcurl cannot be loaded: \(String(cString: $0))" } ?? "libcurl cannot be set up"
  }

  /// Why libcurl has returned no object: memory is short, or `failure`.
  static var refusal: String { curl_load_failure() == nil ? "out of memory" : failure }
}
