internal import CVersion

/// The version of this build (semver.org). `make deb` and `make release` add their commit.
package enum Version {
  package static let current = String(cString: regd_version())
}
