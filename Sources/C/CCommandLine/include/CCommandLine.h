// Gives Swift the command line with which the kernel started the program, before main begins.
//
// Swift's CommandLine reads /proc/self/cmdline on Linux. Without a mounted /proc it is empty, without an error: the
// program would ignore all of its arguments. No function has to be called; it is enough to link this module.
#pragma once
