// Gives Swift the command line with which the kernel started the program, before main begins.
//
// Swift's CommandLine reads /proc/self/cmdline on Linux. Without a mounted /proc, CommandLine is empty and reports no
// error, so the program would ignore all of its arguments. No function has to be called, because linking this module
// is enough.
#pragma once
