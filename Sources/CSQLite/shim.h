#pragma once
#include <sqlite3.h>
#include <sys/syscall.h>
#include <unistd.h>

/// Asks the kernel to begin writing a file's changed pages to the disk, and does not wait for it.
/// Not declared where Swift imports the C library from.
static inline void csqlite_start_writeback(int descriptor) {
#if defined(SYS_sync_file_range)
  // From its beginning to its end; 2 is SYNC_FILE_RANGE_WRITE.
  syscall(SYS_sync_file_range, descriptor, 0L, 0L, 2L);
#endif
}

/// Has SQLite count none of the memory that it takes: each allocation would take a lock for it. To be
/// called before anything else of SQLite; later it changes nothing.
static inline void csqlite_count_no_memory(void) {
  // Takes any number of arguments, which Swift cannot call.
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
