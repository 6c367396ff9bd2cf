internal import CVersion

/// The version of this build, after semver.org: what `make deb` and `make release` make has its commit in it.
package enum Version {
  package static let current = String(cString: regd_version())
}
