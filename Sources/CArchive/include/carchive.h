#pragma once
// libarchive's own face. Its functions are those of carchive.c, which opens the library when the first
// one is called: most commands read no archive, and loading it with the eight libraries behind it
// takes longer than finding a notification.
#include <archive.h>
#include <archive_entry.h>

/// What is wrong with the library, for people; NULL if it can be used.
const char *archive_missing(void);
