# make run      Start regd with its default store, and print what to type next
# make test     Check everything: style, layers, all tests
# make check    Check in a minute what most changes can break: style of changed files, layers, tests of Core
# make example  Start an example site that uses regd
# More: build, programs, docs, messages, reference, man, pam, matrix, simulate, bench, interop, audit, pictures, monitoring, doors,
# other-postgresql, failover, fuzz, asan, tsan, bare, gate, prose, format, install, release, image, image-test, deb, deb-test, deps,
# build-deps, pins, update, reproducible.

# SwiftPM tells the compiler whether to print colours. Without the second flag, a build in a terminal would compile everything again
# after a build in a pipe.
# A build uses the Swift packages of Package.resolved. It stops if Package.swift requires other versions.
# Programs are installed without debug information, and tests do not need it. A debugger does: make build DEBUG_INFO=dwarf.
DEBUG_INFO ?= none
SWIFT_FLAGS = --no-color-diagnostics --only-use-versions-from-resolved-file -debug-info-format $(DEBUG_INFO)
# Checks that a target declares what it imports. SwiftPM reads all sources for this, even if it compiles nothing.
CHECK_IMPORTS := --explicit-target-dependency-import-check error
# What the build needs, and nc, which `make run` tells its user to type. These names are the same in Debian 12, Debian 13 and Ubuntu
# 24.04, except for libstdc++, which is of the release's gcc.
BUILD_PACKAGES = libc6-dev libstdc++-$(shell dpkg-query -W -f '$${source:Upstream-Version}' libgcc-s1 | cut -d. -f1)-dev binutils git \
  ca-certificates libsodium-dev libargon2-dev libcrypt-dev libmd-dev libidn2-dev libunistring-dev libsqlite3-dev libyaml-dev \
  libsystemd-dev libcurl4-openssl-dev libssl-dev libpq-dev libldap-dev libpam0g-dev netcat-openbsd
# programs that only tests need, and that not every Debian has
TEST_PACKAGES := curl openssl socat sqlite3 procps tmux systemd dbus libnss-systemd util-linux mount lowdown man-db groff-base iproute2 jq \
  postgresql libpam-modules pamtester python3 nodejs
# The directories of the built tests and of the built programs. If the environment names another directory, another make has built
# them there.
BUILT ?= .build/debug
PROGRAMS ?= .build/release
BUILD_HERE := $(filter .build/debug,$(BUILT))
BUILD_PROGRAMS := $(filter .build/release,$(PROGRAMS))
# Two builds of one commit are equal once they are stripped (make reproducible). Two hashes that depend on the directory of the build are
# therefore left out: the build ID, and a hash of each module, with which the compiler would skip modules that did not change.
RELEASE := -c release --static-swift-stdlib -Xlinker --build-id=none -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
VERSION = $(shell systemd/debian/version $(CURDIR))
# Tests, man pages and completions need the programs' English texts, regardless of the user's language.
export LC_ALL := C.UTF-8
# The number of tests at once. Without a limit, all would run at once, which needs too many descriptors and takes longer.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 8
RUN := $(CURDIR)/.build/run

.PHONY: run example test check gate packages build build-tests programs deps build-deps pins update lint format no-full-foundation matrix simulate bench install interop audit pictures monitoring doors other-postgresql failover fuzz asan tsan bare floors one-spawner docs messages reference man pam prose release install-files image image-test deb deb-test reproducible

run: build
	@mkdir -p $(RUN)
	@printf '%s\n' 'regd listens on $(RUN)/regd.sock. In a second terminal, in this directory, type:' '' \
	  '  export REGD_SOCKET_PATH=$(RUN)/regd.sock PATH=$$PWD/$(BUILT):$$PATH' \
	  '  regctl status' \
	  '  regctl validate you@example.com' \
	  '  regctl register you@example.com' \
	  '  regctl sign-in you@example.com' \
	  '  regctl form' \
	  '  regctl account list' \
	  "  printf '%s' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"registration.checkEmail\",\"params\":[\"you@example.com\"]}' | nc -U -N \$$REGD_SOCKET_PATH" \
	  '' 'Press Control-C to stop regd. Registered accounts are kept in $(RUN)/regd.db.' ''
	@exec $(BUILT)/regd --config Config/regd.yaml --socket-path $(RUN)/regd.sock --socket-group= \
	  --access-admin-uids $$(id -u) --access-admin-groups= \
	  --store-sqlite-path $(RUN)/regd.db

# A site with registration, sign-in, account and recovery, and the regd behind it. PORT=8081 chooses another port. Emails are files.
example: build
	@$(MAKE) --no-print-directory deps DEBIAN_PACKAGES=python3
	@REGD=$(BUILT)/regd Config/site/start .build/example

# Unit tests are debug builds. Tests that start regd or regctl use the shipped programs.
test: deps lint floors one-spawner docs build-tests programs no-full-foundation
	TEST_PROGRAMS=$(CURDIR)/$(PROGRAMS) Tests/Gate/measured swift test $(SWIFT_FLAGS) --skip-build --xunit-output .build/tests.xml

build-tests: deps $(if $(BUILD_HERE),pins) pam
	$(if $(BUILD_HERE),swift build $(SWIFT_FLAGS) $(CHECK_IMPORTS) --build-tests)

# Checks what most changes can break, in a separate build directory, so that nothing else is compiled or linked.
CORE_TESTS = $(shell ls Tests/Core | paste -sd,)
CHANGED = $(shell { git diff --name-only --diff-filter=d HEAD; git ls-files --others --exclude-standard; } | grep '\.swift$$')
check: deps pins floors one-spawner
	$(if $(CHANGED),swift format lint --strict $(CHANGED))
	REGD_TESTS=$(CORE_TESTS) swift test $(SWIFT_FLAGS) $(CHECK_IMPORTS) --scratch-path .build/check

# The Debian packages of all checks, so that the gate installs them together and its steps do not wait for apt.
packages:
	@echo $(BUILD_PACKAGES) $(TEST_PACKAGES) $(IMAGE_PACKAGES) $(DEB_PACKAGES) $(AUDIT_PACKAGES) $(shell cat Tests/Interop/packages) python3-venv mmdebstrap

# Everything that CI checks, as one schedule: Tests/Gate/steps.
gate:
	Tests/Gate/run

# regd, regctl and the programs that regctl becomes for some of its commands. The last ones are for developers.
OPERATORS := regd regctl regd-login regd-tools
DEVELOPERS := regd-matrix regd-simulate

# The shipped programs, and the one that makes their man pages, with the version of this commit.
programs: export BUILD_VERSION = $(VERSION)
programs: build-deps $(if $(BUILD_PROGRAMS),pins)
	$(if $(BUILD_PROGRAMS),@[ -n "$$BUILD_VERSION" ] && \
	  REGD_TARGETS='$(OPERATORS) $(DEVELOPERS) regd-manual' swift build $(SWIFT_FLAGS) $(RELEASE))

# For `make run`: all commands of regctl, except the simulator (make simulate).
build: build-deps $(if $(BUILD_HERE),pins)
	$(if $(BUILD_HERE),REGD_TARGETS='$(OPERATORS) regd-matrix' swift build $(SWIFT_FLAGS))

# Install the packages that a plain Debian lacks: deps for everything, build-deps for the programs. Tests start their own PostgreSQL
# servers. A file therefore keeps the package from creating a server for the machine while it is installed (pg_createcluster(1)).
NO_CLUSTER := /etc/postgresql-common/createcluster.d/regd.conf
deps: DEBIAN_PACKAGES = $(BUILD_PACKAGES) $(TEST_PACKAGES)
build-deps: DEBIAN_PACKAGES = $(BUILD_PACKAGES)
deps build-deps:
	@installed=$$(dpkg-query -W -f ' $${db:Status-Status}/$${Package} ' $(DEBIAN_PACKAGES) 2>/dev/null); \
	missing=; for package in $(DEBIAN_PACKAGES); do \
	  case $$installed in *" installed/$$package "*) ;; *) missing="$$missing $$package" ;; esac; \
	done; [ -z "$$missing" ] || { \
	  as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	  echo "installing Debian packages:$$missing"; mkdir -p .build; \
	  case $$missing in *postgresql*) trap '$$as_root rm -f $(NO_CLUSTER)' EXIT; \
	    $$as_root mkdir -p $(dir $(NO_CLUSTER)) && \
	    echo 'create_main_cluster = off' | $$as_root tee $(NO_CLUSTER) >/dev/null || exit;; \
	  esac; \
	  { $$as_root apt-get update -q && \
	    $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $$missing; \
	  } >.build/apt.log 2>&1 </dev/null || { cat .build/apt.log; exit 1; }; }

# The Swift packages, as Package.resolved names them.
pins: .build/pins
.build/pins: Package.resolved | build-deps
	@systemd/pins && touch $@

# Updates Package.resolved to the newest versions that Package.swift allows.
update: build-deps
	swift package update
	@git diff --stat Package.resolved

# In parts, because --parallel opens all files of a run at once, and a user often may open only 1 024.
lint:
	find Package.swift Sources Tests -name '*.swift' -print0 | xargs -0 -n 256 swift format lint --strict --parallel

# Which folder of Sources may import which. An adapter may not import another adapter. Programs may import everything.
ALLOWED := Core:Core System:System,C Adapters:Core,System,C Client:Client,Core,System,C Daemon:Core,System,Adapters,C \
  Rehearsal:Rehearsal,Core,System,Adapters,Client,C
# Which module may call the C library.
CALLS_C := System/Linux
floors:
	@grep -rnE '^([a-z@_]+ )*import [A-Za-z]' --include='*.swift' Sources | awk -v rules='$(ALLOWED)' -v modules="$$(echo Sources/*/*)" ' \
	  BEGIN { n = split(rules, r, " "); for (i = 1; i <= n; i++) { split(r[i], p, ":"); allowed[p[1]] = "," p[2] ","; } \
	    n = split(modules, m, " "); for (i = 1; i <= n; i++) { split(m[i], p, "/"); floor[p[3]] = p[2]; } } \
	  { split($$1, p, "/"); to = $$NF; sub(/\..*/, "", to); \
	    if ((p[2] in allowed) && (to in floor) && index(allowed[p[2]], "," floor[to] ",") == 0) { \
	      print $$0 " (" floor[to] " must not be imported from " p[2] ")"; bad = 1; } } \
	  END { exit bad }' || { echo "an import goes to a higher layer, or from one adapter to another"; exit 1; }
	@! grep -rnE '^([a-z@_]+ )*import (Glibc|CLinux)' --include='*.swift' Sources | grep -vE '^Sources/($(CALLS_C))/' || \
	  { echo "only the module Linux may call the C library"; exit 1; }
	@! grep -rnE '^([a-z@_]+ )*import JSONRPC' --include='*.swift' Sources/Core/Doors Sources/Adapters/LDAPDoor | \
	  grep -v '^Sources/Core/Doors/JSONRPC/' || { echo "only the door that speaks JSON-RPC may import it"; exit 1; }
	@mkdir -p .build && swift package dump-package >.build/package.json && \
	  Tests/Floors/unused <.build/package.json && Tests/Floors/linked <.build/package.json

# A process that is started in another way would have the terminal of `make test`, which could stop it.
one-spawner:
	@! grep -rnE '\b(posix_spawnp?|popen|v?fork)\(' --include='*.swift' --exclude=ChildProcess.swift Sources Tests || \
	  { echo "only ChildProcess may start processes"; exit 1; }

# Turns the articles of all modules into one set of pages, so that they can link to each other, with the latest matrix and benchmarks.
# docc copies its page template with its owner. That fails if the toolchain belongs to root, so docc gets a copy of the template.
docs:
	@rm -rf .build/docs && mkdir -p .build/docs/regd.docc && cp $$(find Sources -path '*.docc/*.md') .build/docs/regd.docc
	@template=$$(dirname "$$(readlink -f "$$(command -v docc)")")/../share/docc/render; \
	[ ! -d "$$template" ] || { cp -R --no-preserve=all "$$template" .build/docs/template && \
	  export DOCC_HTML_DIR=$(CURDIR)/.build/docs/template; } && \
	docc convert .build/docs/regd.docc --fallback-display-name regd --output-dir .build/docs/pages --warnings-as-errors
	@pages=.build/docs/pages; mkdir -p .build/bench; \
	matrix='what callers see, cell by cell (not there yet: run make matrix)'; \
	[ ! -f .build/matrix/index.html ] || { install -D -m 644 .build/matrix/index.html $$pages/matrix/index.html && \
	  matrix='<a href="matrix/index.html">what callers see</a>, cell by cell'; }; \
	{ printf '%s\n' '<!doctype html><html lang="en"><meta charset="utf-8"><title>regd</title><h1>regd</h1><ul>' \
	    '<li><a href="documentation/regd/index.html">the articles</a>' "<li>$$matrix" '<li>benchmarks that make bench measured on this machine' '</ul>'; \
	  for file in .build/bench/*.txt; do [ ! -f $$file ] || { \
	    printf '<h2>%s</h2><pre>\n' "$$(basename $$file .txt), $$(date -u -r $$file +%F)"; sed 's/&/\&amp;/g; s/</\&lt;/g' $$file; printf '</pre>\n'; }; \
	  done; } >$$pages/index.html
	@echo 'To read the pages: python3 -m http.server -d .build/docs/pages, then open http://localhost:8000'

# Writes the compiled-in English messages to the shipped catalogue. A test checks that both are equal.
messages: build
	@mkdir -p Config/messages
	LC_ALL=C $(BUILT)/regctl messages print >Config/messages/en.yaml

# Writes the references of methods and keys, from the compiled methods and from Config/regd.yaml, and the reasons of the PAM module, from
# the kinds of regd's errors. Tests check that they are up to date.
reference: build
	$(if $(BUILD_HERE),swift build $(SWIFT_FLAGS) --product regd-manual)
	$(BUILT)/regd-manual --reference

# Shows how plain the English is: the rates of some patterns, and the sentences that may break a rule of the style guide. It never
# fails. PROSE=--changed prints only the sentences of changed files, and PROSE=--rates prints no sentences.
prose:
	@Tests/Prose/prose $(PROSE)

# Writes the man pages to .build/man: regd(8), a page for each command of regctl, and a page for each topic.
man: programs
	@rm -rf .build/man && mkdir -p .build
	$(PROGRAMS)/regd-manual .build/man
	@echo 'To read a page: man -l .build/man/regd.8'

format:
	swift format format --in-place --recursive Package.swift Sources Tests

# FoundationEssentials is fine. Full Foundation would bring ICU and tens of megabytes into a daemon that needs neither.
no-full-foundation: build-tests
	@ldd $(BUILT)/regd | grep -q 'libFoundationEssentials\|libswiftCore' || { echo "ldd cannot read $(BUILT)/regd"; exit 1; }
	@! ldd $(BUILT)/regd | grep -E 'libFoundation\.so|libFoundationInternationalization|lib_FoundationICU' || \
	  { echo "regd links full Foundation"; exit 1; }
	@echo "regd links no full Foundation"

# The PAM module. It is not built by SwiftPM, which links every library with Swift's runtime: other daemons load this one.
PAM_MODULE := .build/pam/pam_regd.so
PAM_SOURCES := $(wildcard Sources/C/PamRegd/*.[ch])
PAM_CLANG := clang -std=c11 -O2 -fPIC -fvisibility=hidden -fstack-protector-strong -D_FORTIFY_SOURCE=2 -Wall -Wextra -Wpedantic -Werror \
  -shared -Wl,-z,defs,-z,relro,-z,now,-z,noexecstack
pam: build-deps $(PAM_MODULE)
$(PAM_MODULE): $(PAM_SOURCES)
	@mkdir -p $(@D)
	$(PAM_CLANG) $(filter %.c,$^) -lpam -o $@.new && mv $@.new $@

# Simulates runs of regd on one thread. A seed decides each run. Fails if regd breaks a promise, or if a promise or a fault never
# occurred. DAEMONS=3 simulates three regd with one store. For many seeds, use SIMULATOR=release, which is three times as fast.
SEEDS ?= 1-200
SIMULATOR ?= debug
simulate: build-deps pins
	swift build $(SWIFT_FLAGS) $(if $(filter release,$(SIMULATOR)),$(RELEASE)) --product regd-simulate
	.build/$(SIMULATOR)/regd-simulate $(if $(DAEMONS),--daemons $(DAEMONS)) --seeds $(SEEDS) --counts --progress

# Shows what callers see in each environment. FILTER=offline runs a part of the matrix.
matrix: deps programs
	@mkdir -p .build/matrix
	$(PROGRAMS)/regctl matrix --regd $(PROGRAMS)/regd $(if $(FILTER),--filter '$(FILTER)') --html .build/matrix/index.html Config/environments
	@echo 'The matrix as a page: .build/matrix/index.html'

# Measures speed, as ratios to baselines that are measured in the same run. BENCH selects other measurements:
#   stores    the stores, compared with SQLite, and look-ups among up to ten million accounts
#   commits   changes per second on slow disks, compared with pgbench
#   start     how long starts take
#   login     time and memory of a PAM login, through regd-login and through regctl pam
#   domains   a file of a million blocked domains
#   hashes    only hashing
#   doors     sign-ins through each door, compared with regd's socket
#   sessions  only session.check
#   events    changes per second with subscribers of events, compared with none
#   conceal   whether the time or the size of an answer reveals that an address is taken, and how far the time of a sign-in reveals a
#             hash of another system
bench: deps pins
	swift build $(SWIFT_FLAGS) $(RELEASE) --product regd
	for product in regctl regd-login hash-floor login-floor wire-floor wire-load slow-sync regd-bench; do \
	  swift build $(SWIFT_FLAGS) $(RELEASE) --product $$product || exit; \
	done
	@mkdir -p .build/bench
	bash -o pipefail -c '.build/release/regd-bench $(BENCH) | tee .build/bench/$(or $(firstword $(BENCH)),speed).new' && \
	  mv .build/bench/$(or $(firstword $(BENCH)),speed).new .build/bench/$(or $(firstword $(BENCH)),speed).txt

# Calls regd with clients by other authors, from Debian and PyPI, and tests the example site with a browser. Also runs the unit tests of
# regd's clients in their languages.
interop: deps programs
	Tests/Interop/run $(PROGRAMS)/regd

# Makes the pictures in README from the example site and the matrix's page. The repository contains them. Make them again when these
# pages change.
PICTURES := Sources/Daemon/Daemon/Daemon.docc/Resources
PICTURE_PACKAGES := chromium chromium-driver fonts-noto-core fonts-noto-cjk pngquant
pictures: matrix
	@$(MAKE) --no-print-directory deps DEBIAN_PACKAGES='$(PICTURE_PACKAGES)'
	Tests/Pictures/make $(PROGRAMS)/regd .build/matrix/index.html $(PICTURES)

# Changes the database of a regd, SQLite's and PostgreSQL's, in each way that the audit must reveal, and checks that `regctl audit verify`
# and Config/audit/verify.py find the entry.
AUDIT_PACKAGES := python3-cryptography
audit: deps programs
	@$(MAKE) --no-print-directory deps DEBIAN_PACKAGES='$(AUDIT_PACKAGES)'
	Tests/Audit/run $(PROGRAMS)

# Tests the alert rules and the dashboard of Config/monitoring with Prometheus' promtool: each rule fires only for its own outage.
monitoring: deps programs
	Tests/Monitoring/run $(PROGRAMS)

# Tests Debian programs that sign in their users through doors, and Debian mail servers to which regd sends (to-postfix, …). Each runs in
# its own namespaces, which need root. FILTER=postfix,exim runs only these.
doors: deps programs pam
	@as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	$$as_root env CI="$$CI" Tests/Doors/run --regd $(PROGRAMS) $(if $(FILTER),--filter '$(FILTER)')
	@echo 'The results as a page: .build/doors/index.html'

# Runs the PostgreSQL test suites with a server of another major version, from PyPI.
other-postgresql: build-tests programs
	TEST_PROGRAMS=$(CURDIR)/$(PROGRAMS) Tests/OtherPostgreSQL/run $(BUILT)

# Makes a Patroni cluster fail over under load: its servers are network namespaces, which need root. FAILOVER=all runs every fault, and
# FAILOVER='cut frozen' only these. FAILOVER_PATRONI=4.0.7 takes that Patroni from PyPI instead of Debian's.
failover: deps programs
	$(if $(FAILOVER_PATRONI),@$(MAKE) --no-print-directory deps DEBIAN_PACKAGES=python3-venv)
	@as_root=; [ "$$(id -u)" = 0 ] || as_root=sudo; \
	$$as_root env CI="$$CI" FAILOVER_PATRONI="$(FAILOVER_PATRONI)" Tests/Failover/run $(PROGRAMS) $(FAILOVER)

# Runs both commands of the README on a plain Debian, as an ordinary user and as root. RELEASE=trixie does so on Debian 13.
bare:
	Tests/Bare/run

# Fuzzes with libFuzzer and AddressSanitizer: the reader and the framings (JSONRPC and the fuzzer compiled as one module), the protocols of
# doors, and the reply reader of pam_regd.so. Interesting inputs remain in .build/fuzz, and the next run continues with them.
FUZZ_RUNS ?= 200000
# The modules that JSONRPC imports, and those that the doors' protocols also import. Of the latter they use little, so these are compiled
# without optimization and sanitizer.
FUZZ_MODULES := SecureMemory WireFormats WireProtocols NearestName Reasons Localization Tracing AsyncPrimitives
LOGIN_MODULES := FairQueues Liveness Registration LoginVerdicts
# The modules of packages that these import. SwiftPM compiles them, because their manifest sets flags for the compiler. With
# DequeModule, it also compiles the first two, which DequeModule needs.
PACKAGE_MODULES := InternalCollectionsUtilities ContainersPreview DequeModule HeapModule
FEATURES := ExistentialAny InternalImportsByDefault MemberImportVisibility NonisolatedNonsendingByDefault
FUZZ_PLAIN := swiftc -swift-version 6 $(FEATURES:%=-enable-upcoming-feature %) -package-name regd -parse-as-library -wmo -I . \
  -I packages/debug/Modules
FUZZ_SWIFTC := $(FUZZ_PLAIN) -O -g -sanitize=fuzzer,address
FUZZ_MODULE = -module-name $$module -emit-module -c $$(find $(CURDIR)/Sources/Core/$$module -name '*.swift') -o $$module.o
FUZZ_RUN := -runs=$(FUZZ_RUNS) -max_len=1000 -verbosity=0 -print_final_stats=1
# the state machines of protocols, without their configuration keys, which need the daemon
LOGIN_PROTOCOLS = LoginProtocol.swift Saslauthd/SaslauthdLoginProtocol.swift $(filter-out %Door.swift,$(patsubst Sources/Core/Doors/%,%,\
  $(wildcard $(addprefix Sources/Core/Doors/,Dovecot/*.swift HTTP/*.swift Socketmap/*.swift))))
fuzz: build-deps pins
	@mkdir -p .build/fuzz/found .build/fuzz/replies .build/fuzz/doors-found
	cd .build/fuzz && for module in $(FUZZ_MODULES); do $(FUZZ_SWIFTC) $(FUZZ_MODULE) || exit; done
	cd .build/fuzz && $(FUZZ_SWIFTC) -module-name Fuzz -use-ld=lld $(FUZZ_MODULES:%=%.o) \
	  $$(find $(CURDIR)/Sources/Core/JSONRPC -name '*.swift') $(CURDIR)/Tests/Fuzzing/FuzzConversation.swift -o conversation
	for module in DequeModule HeapModule; do swift build $(SWIFT_FLAGS) --scratch-path .build/fuzz/packages --target $$module || exit; done
	cd .build/fuzz && for module in $(LOGIN_MODULES); do $(FUZZ_PLAIN) $(FUZZ_MODULE) || exit; done
	cd .build/fuzz && $(FUZZ_SWIFTC) -module-name Doors -enable-testing -emit-module -c \
	  $(addprefix $(CURDIR)/Sources/Core/Doors/,$(LOGIN_PROTOCOLS)) -o Doors.o
	cd .build/fuzz && $(FUZZ_SWIFTC) -module-name Fuzz -use-ld=lld $(FUZZ_MODULES:%=%.o) $(LOGIN_MODULES:%=%.o) Doors.o \
	  $(PACKAGE_MODULES:%=packages/debug/%.build/*.o) \
	  $(CURDIR)/Tests/Core/DoorsTests/LoginProtocolStage.swift $(CURDIR)/Tests/Fuzzing/FuzzDoors.swift -o doors
	clang -std=c11 -O1 -g -fuse-ld=lld -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -ISources/C/PamRegd Sources/C/PamRegd/reply.c \
	  Tests/Fuzzing/FuzzReply.c -o .build/fuzz/reply
	cd .build/fuzz && ./reply $(FUZZ_RUN) -dict=$(CURDIR)/Tests/Fuzzing/reply.dict replies
	cd .build/fuzz && ASAN_OPTIONS=detect_leaks=0 ./doors $(FUZZ_RUN) -dict=$(CURDIR)/Tests/Fuzzing/doors.dict doors-found
	cd .build/fuzz && ASAN_OPTIONS=detect_leaks=0 ./conversation $(FUZZ_RUN) -print_funcs=0 -dict=$(CURDIR)/Tests/Fuzzing/words.dict \
	  found $(CURDIR)/Tests/Fuzzing/Corpus

# Runs all tests, and the programs that they start, with AddressSanitizer (without leaks, because Swift's statics would count) or with
# ThreadSanitizer (the file lists what it cannot judge). Skips tests of memory limits, because sanitizers multiply memory, and tests
# of the unit's sandbox, in which sanitizers do not run. The reports name lines, which needs debug information.
NOT_SANITIZED := --skip 'BackPressureTests/(neverRead|longTexts|vanished)|CrowdTests|FramingOverSocketTests/endless|SystemdTests|DoctorTests/systemd|MemoryTests|ForeignHashTests/starved|NotificationTests/slowSubscriber|DomainListTests/million|DomainSettingsTests/million'
asan tsan: DEBUG_INFO = dwarf
asan: deps pins
	ASAN_OPTIONS=detect_leaks=0 swift test $(SWIFT_FLAGS) --sanitize=address --scratch-path .build/asan $(NOT_SANITIZED)

tsan: deps pins
	TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/thread-sanitizer.txt swift test $(SWIFT_FLAGS) --sanitize=thread \
	  --scratch-path .build/tsan $(NOT_SANITIZED)

# Builds what gets installed: the programs, their man pages, and the PAM module.
# NOTICE contains the notices of the Swift packages.
release: pam man pins

# Builds the commit again in another directory, and compares what gets installed.
reproducible: programs pam
	Tests/Reproducible/run $(PROGRAMS) $(PAM_MODULE)

# regd as a container image, .build/image: an OCI layout with its own root file system.
image: release
	@$(MAKE) --no-print-directory deps DEBIAN_PACKAGES=python3
	systemd/image $(PROGRAMS) "$(VERSION)" .build/image

# Starts the image in a read-only container as uid 65532, and registers an account. Uses podman, or unshare if podman cannot start
# containers.
IMAGE_PACKAGES := podman crun jq
image-test: deps programs
	@$(MAKE) --no-print-directory deps DEBIAN_PACKAGES='$(IMAGE_PACKAGES)'
	systemd/image $(PROGRAMS) test .build/image-test
	Tests/Image/run .build/image-test $(PROGRAMS)

# For an operator without dpkg: make install, systemd-sysusers, systemd-tmpfiles --create regd.conf, systemctl daemon-reload,
# systemctl start regd. DESTDIR and PREFIX are honoured.
PREFIX ?= /usr
install: release install-files

# The configuration may contain a token, so other users cannot read it until the group regd exists. An existing file is
# kept.
UNITS ?= $(PREFIX)/lib/systemd/system
# where libpam looks for a module without a path, if PREFIX is /usr
SECURITY ?= $(PREFIX)/lib/$(shell uname -m)-linux-gnu/security
SHARE := $(DESTDIR)$(PREFIX)/share
COMPLETION = $(PROGRAMS)/regctl --generate-completion-script
install-files:
	for program in regd regctl; do install -D -s -m 755 $(PROGRAMS)/$$program $(DESTDIR)$(PREFIX)/bin/$$program || exit; done
	for program in $(filter-out regd regctl,$(OPERATORS)) $(DEVELOPERS); do \
	  install -D -s -m 755 $(PROGRAMS)/$$program $(DESTDIR)$(PREFIX)/libexec/regd/$$program || exit; \
	done
	[ -e $(DESTDIR)/etc/regd/regd.yaml ] || install -D -m 640 Config/regd.yaml $(DESTDIR)/etc/regd/regd.yaml
	[ -n "$(DESTDIR)" ] || ! getent group regd >/dev/null || chgrp regd /etc/regd/regd.yaml
	for file in $(patsubst Config/%,%,$(wildcard Config/*/*.yaml)); do \
	  [ -e $(DESTDIR)/etc/regd/$$file ] || install -D -m 644 Config/$$file $(DESTDIR)/etc/regd/$$file || exit; \
	done
	install -d $(SHARE)/regd/messages && install -m 644 Config/messages/*.yaml $(SHARE)/regd/messages
	install -d $(DESTDIR)$(UNITS)
	for unit in $(wildcard systemd/*.service systemd/*.socket systemd/*.timer); do \
	  sed 's|/usr/bin/reg|$(PREFIX)/bin/reg|' $$unit >$(DESTDIR)$(UNITS)/$${unit#systemd/} && \
	  chmod 644 $(DESTDIR)$(UNITS)/$${unit#systemd/} || exit; \
	done
	install -D -m 644 systemd/regd.sysusers $(DESTDIR)$(PREFIX)/lib/sysusers.d/regd.conf
	install -D -m 644 systemd/regd.tmpfiles $(DESTDIR)$(PREFIX)/lib/tmpfiles.d/regd.conf
	for catalog in $(wildcard systemd/*.catalog); do \
	  install -D -m 644 $$catalog $(DESTDIR)$(PREFIX)/lib/systemd/catalog/$${catalog#systemd/} || exit; \
	done
	install -d $(SHARE)/bash-completion/completions $(SHARE)/zsh/vendor-completions $(SHARE)/fish/vendor_completions.d
	$(COMPLETION) bash | sed '1{/^#!/d}' >$(SHARE)/bash-completion/completions/regctl
	$(COMPLETION) zsh >$(SHARE)/zsh/vendor-completions/_regctl
	$(COMPLETION) fish >$(SHARE)/fish/vendor_completions.d/regctl.fish
	for page in .build/man/*.[1578]; do \
	  install -D -m 644 $$page $(SHARE)/man/man$${page##*.}/$${page##*/} || exit; \
	done
	install -D -s -m 644 $(PAM_MODULE) $(DESTDIR)$(SECURITY)/pam_regd.so
	install -D -m 644 systemd/upstream.conf $(SHARE)/doc/regd/examples/upstream.conf
	for file in $$(find Config/audit Config/doors Config/monitoring Config/site -type f); do \
	  install -D -m 644 $$file $(SHARE)/doc/regd/examples/$${file#Config/} && \
	  sed -i 's|/usr/bin/reg|$(PREFIX)/bin/reg|; s|/usr/libexec/regd|$(PREFIX)/libexec/regd|' $(SHARE)/doc/regd/examples/$${file#Config/} || exit; \
	done
	chmod 755 $(SHARE)/doc/regd/examples/site/start $(SHARE)/doc/regd/examples/audit/verify.py
	systemd/debian/notices $(CURDIR) >$(SHARE)/doc/regd/NOTICE

# The Debian packages .build/deb/regd_VERSION_ARCHITECTURE.deb and regd-devtools_VERSION_ARCHITECTURE.deb, checked by lintian.
DEB_PACKAGES := dpkg-dev debhelper lintian
DEB := .build/deb
deb: release
	@$(MAKE) --no-print-directory deps DEBIAN_PACKAGES='$(DEB_PACKAGES)'
	@for package in $$(sed -n 's/.*"identity" : "\(.*\)".*/\1/p' Package.resolved); do \
	  grep -qx "Files: $$package" systemd/debian/copyright || \
	    { echo "systemd/debian/copyright does not name $$package, which is linked statically"; exit 1; }; \
	done
	rm -rf $(DEB) && mkdir -p $(DEB)/regd && cp -r systemd/debian $(DEB)/regd/debian
	@dpkg-parsechangelog -l systemd/debian/changelog -S Version | grep -qxF "$$(echo '$(VERSION)' | sed 's/+git.*//')" || \
	  { echo "systemd/debian/changelog: the first entry does not have the version in CVersion, on which $(VERSION) is based"; exit 1; }
	systemd/debian/version $(CURDIR) changelog >$(DEB)/regd/debian/changelog
	cd $(DEB)/regd && REPOSITORY=$(CURDIR) DEB_RULES_REQUIRES_ROOT=no debian/rules binary >../log 2>&1 || { cat ../log; exit 1; }
	lintian --allow-root --fail-on error,warning $(DEB)/*.deb
	@ls -l $(DEB)/*.deb

# The packages on a booted systemd, as root: install, upgrade under load, remove, purge, and check each promise on the way.
deb-test:
	Tests/Adapters/SystemdTests/package-test $(DEB)/regd_$(shell systemd/debian/version $(CURDIR) package)_*.deb
