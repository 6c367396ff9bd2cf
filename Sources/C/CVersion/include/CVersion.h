// The version of this build, after semver.org, such as "0.1.0+git356.ff845d5".
const char *regd_version(void);
