#include "carchive.h"

#include <dlfcn.h>
#include <pthread.h>

// One row a function: what it returns, its name, its parameters, what is passed on, and what it
// returns where the library is not there. Functions that return nothing come after.
#define FUNCTIONS(X)                                                                               \
  X(struct archive *, archive_read_new, (void), (), NULL)                                          \
  X(int, archive_read_free, (struct archive * a), (a), ARCHIVE_FATAL)                              \
  X(int, archive_read_set_callback_data, (struct archive * a, void *b), (a, b), ARCHIVE_FATAL)     \
  X(int, archive_read_set_read_callback, (struct archive * a, archive_read_callback * b), (a, b),  \
    ARCHIVE_FATAL)                                                                                 \
  X(int, archive_read_set_seek_callback, (struct archive * a, archive_seek_callback * b), (a, b),  \
    ARCHIVE_FATAL)                                                                                 \
  X(int, archive_read_set_skip_callback, (struct archive * a, archive_skip_callback * b), (a, b),  \
    ARCHIVE_FATAL)                                                                                 \
  X(int, archive_read_support_filter_bzip2, (struct archive * a), (a), ARCHIVE_FATAL)              \
  X(int, archive_read_support_filter_gzip, (struct archive * a), (a), ARCHIVE_FATAL)               \
  X(int, archive_read_support_filter_xz, (struct archive * a), (a), ARCHIVE_FATAL)                 \
  X(int, archive_read_support_filter_zstd, (struct archive * a), (a), ARCHIVE_FATAL)               \
  X(int, archive_read_support_format_empty, (struct archive * a), (a), ARCHIVE_FATAL)              \
  X(int, archive_read_support_format_raw, (struct archive * a), (a), ARCHIVE_FATAL)                \
  X(int, archive_read_support_format_tar, (struct archive * a), (a), ARCHIVE_FATAL)                \
  X(int, archive_read_support_format_zip, (struct archive * a), (a), ARCHIVE_FATAL)                \
  X(int, archive_read_open1, (struct archive * a), (a), ARCHIVE_FATAL)                             \
  X(int, archive_read_open_filename, (struct archive * a, const char *b, size_t c), (a, b, c),     \
    ARCHIVE_FATAL)                                                                                 \
  X(int, archive_read_next_header, (struct archive * a, struct archive_entry * *b), (a, b),        \
    ARCHIVE_FATAL)                                                                                 \
  X(la_ssize_t, archive_read_data, (struct archive * a, void *b, size_t c), (a, b, c),             \
    ARCHIVE_FATAL)                                                                                 \
  X(int, archive_read_data_block,                                                                  \
    (struct archive * a, const void **b, size_t *c, la_int64_t *d), (a, b, c, d), ARCHIVE_FATAL)   \
  X(int, archive_errno, (struct archive * a), (a), 0)                                              \
  X(const char *, archive_error_string, (struct archive * a), (a), missing)                        \
  X(la_int64_t, archive_filter_bytes, (struct archive * a, int b), (a, b), 0)                      \
  X(int, archive_filter_code, (struct archive * a, int b), (a, b), 0)                              \
  X(__LA_MODE_T, archive_entry_filetype, (struct archive_entry * a), (a), 0)                       \
  X(const char *, archive_entry_hardlink, (struct archive_entry * a), (a), NULL)                   \
  X(int, archive_entry_is_data_encrypted, (struct archive_entry * a), (a), 0)                      \
  X(const char *, archive_entry_pathname, (struct archive_entry * a), (a), NULL)                   \
  X(const char *, archive_entry_pathname_utf8, (struct archive_entry * a), (a), NULL)              \
  X(la_int64_t, archive_entry_size, (struct archive_entry * a), (a), 0)                            \
  X(int, archive_entry_size_is_set, (struct archive_entry * a), (a), 0)                            \
  X(struct archive_entry *, archive_entry_new, (void), (), NULL)                                   \
  X(struct archive *, archive_write_new, (void), (), NULL)                                         \
  X(int, archive_write_set_format_zip, (struct archive * a), (a), ARCHIVE_FATAL)                   \
  X(int, archive_write_open_filename, (struct archive * a, const char *b), (a, b), ARCHIVE_FATAL)  \
  X(int, archive_write_header, (struct archive * a, struct archive_entry * b), (a, b),             \
    ARCHIVE_FATAL)                                                                                 \
  X(la_ssize_t, archive_write_data, (struct archive * a, const void *b, size_t c), (a, b, c),      \
    ARCHIVE_FATAL)                                                                                 \
  X(int, archive_write_close, (struct archive * a), (a), ARCHIVE_FATAL)                            \
  X(int, archive_write_free, (struct archive * a), (a), ARCHIVE_FATAL)

#define PROCEDURES(X)                                                                              \
  X(archive_entry_free, (struct archive_entry * a), (a))                                           \
  X(archive_entry_set_filetype, (struct archive_entry * a, unsigned int b), (a, b))                \
  X(archive_entry_set_mtime, (struct archive_entry * a, time_t b, long c), (a, b, c))              \
  X(archive_entry_set_pathname, (struct archive_entry * a, const char *b), (a, b))                 \
  X(archive_entry_set_perm, (struct archive_entry * a, __LA_MODE_T b), (a, b))                     \
  X(archive_entry_set_size, (struct archive_entry * a, la_int64_t b), (a, b))

// What an error says where the library is not there: its own functions cannot be asked.
static const char *const missing = "libarchive.so.13 cannot be loaded: install libarchive13";

#define POINTER(result, name, parameters, arguments, otherwise) static result(*its_##name) parameters;
#define POINTER_OF_PROCEDURE(name, parameters, arguments) static void(*its_##name) parameters;
FUNCTIONS(POINTER)
PROCEDURES(POINTER_OF_PROCEDURE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded = 0;

static void load(void) {
  // The name that belongs to the declarations above comes first.
  void *library = dlopen("libarchive.so.13", RTLD_NOW | RTLD_LOCAL);
  if (!library) library = dlopen("libarchive.so", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
#define FIND(result, name, parameters, arguments, otherwise) \
  if (!(*(void **)&its_##name = dlsym(library, #name))) return;
#define FIND_PROCEDURE(name, parameters, arguments) \
  if (!(*(void **)&its_##name = dlsym(library, #name))) return;
  FUNCTIONS(FIND)
  PROCEDURES(FIND_PROCEDURE)
  is_loaded = 1;
}

static int can_call(void) {
  pthread_once(&once, load);
  return is_loaded;
}

// Hidden, so that the library's calls of its own functions never end up here.
#define OURS __attribute__((visibility("hidden")))
#define FUNCTION(result, name, parameters, arguments, otherwise) \
  OURS result name parameters { return can_call() ? its_##name arguments : otherwise; }
#define PROCEDURE(name, parameters, arguments) \
  OURS void name parameters {                  \
    if (can_call()) its_##name arguments;      \
  }
FUNCTIONS(FUNCTION)
PROCEDURES(PROCEDURE)

OURS const char *archive_missing(void) { return can_call() ? NULL : missing; }
