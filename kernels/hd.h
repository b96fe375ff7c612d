#pragma once

/// KVPROF_HD marks a function that the device may call too: the formulas shared by both executors.
#if defined(__CUDACC__)
#define KVPROF_HD __host__ __device__
#else
#define KVPROF_HD
#endif
