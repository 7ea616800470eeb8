// A thin C face on simdjson's DOM parser: Swift walks the tape itself.
#include "csimdjson.h"

#include <new>
#include <simdjson.h>

struct csj_parser {
  simdjson::dom::parser parser;
};

csj_parser *csj_create(void) { return new (std::nothrow) csj_parser(); }

void csj_destroy(csj_parser *parser) { delete parser; }

int csj_parse(csj_parser *parser, const uint8_t *bytes, size_t length, csj_document *document) {
  simdjson::dom::element element;
  auto error = parser->parser.parse(bytes, length, false).get(element);
  if (error) return static_cast<int>(error);
  document->tape = parser->parser.doc.tape.get();
  document->strings = parser->parser.doc.string_buf.get();
  return 0;
}

int csj_is_value_error(int code) {
  return code == simdjson::STRING_ERROR || code == simdjson::NUMBER_ERROR;
}

const char *csj_error_message(int code) {
  return simdjson::error_message(static_cast<simdjson::error_code>(code));
}
