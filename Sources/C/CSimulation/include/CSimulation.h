// The machine that regd-simulate plays: its clock, its chance, its disk, and the callers' ends of real sockets. One thread.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// MARK: Clock and chance

/// Begins virtual time and chance anew. Until then time is the machine's own, and chance is fixed.
void simulated_begin(uint64_t seed);
/// Nanoseconds since the simulated machine's start. Each read of the clock takes some simulated time.
int64_t simulated_now(void);
void simulated_advance_to(int64_t nanoseconds);
/// Suspends the machine: all clocks except CLOCK_MONOTONIC advance by this time.
void simulated_suspend(int64_t nanoseconds);
/// Sets the wall clock forward or back.
void simulated_set_wall(int64_t nanoseconds);
/// The machine's own clock, in nanoseconds: how long a run really takes.
int64_t simulated_real_time(void);

// MARK: Disk: a file layer of SQLite's in memory, "simulated", which is the default one from then on

int simulated_disk_install(void);
enum simulated_cut { SIMULATED_KILL, SIMULATED_POWER };
/// Ends the machine at the disk's n-th operation from now on. Later operations in the same step have no effect on the
/// disk.
void simulated_disk_cut_at(int operation, enum simulated_cut cut);
/// Whether the machine has ended in this way.
bool simulated_disk_is_cut(void);
/// Shows the disk as a new process finds it, or a machine that was started again. Nothing is locked.
void simulated_disk_restart(enum simulated_cut cut);
/// Makes `times` writes and syncs in sequence fail with this SQLite code, beginning with the n-th from now on.
void simulated_disk_fail_at(int operation, int code, int times);
/// Makes another program hold the database's write lock until this time, or until the next restart.
void simulated_disk_lock_until(int64_t time);
/// How often a lock was refused because the other program held it.
int64_t simulated_disk_refused_locks(void);
int64_t simulated_disk_operations(void);
/// The writes that the last cuts lost, kept and tore.
int64_t simulated_disk_lost(void);
int64_t simulated_disk_kept(void);
int64_t simulated_disk_torn(void);
bool simulated_disk_contains(const char *text, int count);
bool simulated_disk_save(const char *directory);

// MARK: Shortages

enum simulated_resource { SIMULATED_DESCRIPTORS, SIMULATED_MEMORY };
/// Makes the next `times` connections or hashes fail, because a descriptor or memory is missing.
void simulated_lack(enum simulated_resource resource, int times);
/// How often a connection or a hash has failed for this reason.
int64_t simulated_lacked(enum simulated_resource resource);

// MARK: Callers' ends of sockets, from descriptor 600 on (descriptors below belong to the daemon)

/// Connects, and returns a descriptor whose other end identifies the caller by `simulated_peer`, or -1 if no process
/// listens or accepts.
int simulated_connect(const char *path, uint32_t uid);
uint32_t simulated_peer(int descriptor);
/// Returns the number of bytes that were taken, 0 if there is no room, or -1 if the other side is gone.
int simulated_send(int descriptor, const void *bytes, int count);
/// Returns the number of received bytes, 0 at the end, -1 if no bytes have arrived yet, or -2 if the other side is gone.
int simulated_receive(int descriptor, void *bytes, int count);
void simulated_half_close(int descriptor);
void simulated_close(int descriptor);
bool simulated_is_readable(int descriptor);
/// Chooses the process to which descriptors belong that are made from now on.
void simulated_act_as(int owner);
/// Closes all descriptors that a process would lose at its end, except the standard ones and the callers' ends.
void simulated_close_daemon(int owner);

// MARK: The program

/// Starts the program anew with a fixed order of sets, unless it already has that order.
void simulated_fix_hashing(char *const *arguments);
/// Numbers that this process shares with those that it forks.
int64_t *simulated_shared(int count);
void simulated_add(int64_t *number, int64_t count);
/// Like fork(2): 0 in the new process.
int simulated_fork(void);
/// How the process ended: its status, or 128 and the signal.
int simulated_await(int process);
/// Makes the directory of all runs. It is removed when this process and its runs have ended, even if a signal ended
/// them.
bool simulated_make_places(void);
/// Makes a directory in the directory of all runs, and changes to it.
bool simulated_enter_place(void);
void simulated_leave_place(void);
bool simulated_limit_descriptors(void);
