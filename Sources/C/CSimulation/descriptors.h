#pragma once

/// Notes that a descriptor is the acting process's, and returns it.
int simulated_owned(int descriptor);
