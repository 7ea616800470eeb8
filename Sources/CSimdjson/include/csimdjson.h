#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes that must be readable behind the text that is parsed.
#define CSJ_PADDING 32

typedef struct csj_parser csj_parser;

/// A parsed document: simdjson's tape and its string buffer, valid until the next parse.
///
/// The top byte of a tape word is its type, the rest its payload: `r` root, `{` `[` index behind
/// the matching close (low 32 bits) and a saturated count (next 24), `"` offset into `strings`
/// (a 32-bit length, then the bytes), `l` int64, `u` uint64, `d` double (each with its value in the
/// next word), `t` `f` `n`.
typedef struct {
  const uint64_t *tape;
  const uint8_t *strings;
} csj_document;

csj_parser *csj_create(void);
void csj_destroy(csj_parser *parser);

/// Parses one JSON text with full validation. Returns 0, or simdjson's error code.
/// CSJ_PADDING bytes behind `bytes + length` must be readable.
int csj_parse(csj_parser *parser, const uint8_t *bytes, size_t length, csj_document *document);

/// Whether an error code is of one text or number that cannot be read, in what is JSON up to there.
int csj_is_value_error(int code);

/// The wording of an error code; a static string.
const char *csj_error_message(int code);

#ifdef __cplusplus
}
#endif
