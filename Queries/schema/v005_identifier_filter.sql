-- Which hashes a run of the id index may hold: most ids that a batch looks up are nowhere.
CREATE TABLE identifier_filter (
  run INTEGER NOT NULL PRIMARY KEY,  -- run; one without a filter is always read
  bits BLOB NOT NULL                 -- sixteen bits for each id of the run, four set for each
) STRICT;

-- A phone that is joined again asks for its own tokens, so they lie by phone.
ALTER TABLE installation_token RENAME TO token_by_digest;

CREATE TABLE installation_token (
  token BLOB NOT NULL,               -- digest, 16 bytes
  installation_id INTEGER NOT NULL,  -- installation
  ends TEXT NOT NULL,                -- first and last four characters
  kind TEXT,                         -- kind of token, NULL if not said
  environment TEXT,                  -- environment reported with it
  first_at INTEGER NOT NULL,         -- first registration, device clock
  last_at INTEGER NOT NULL,          -- last registration
  source_id INTEGER NOT NULL,        -- where the first one stands
  line INTEGER NOT NULL,             -- its line
  PRIMARY KEY (installation_id, token)
) STRICT, WITHOUT ROWID;

INSERT INTO installation_token SELECT * FROM token_by_digest;
DROP TABLE token_by_digest;
CREATE INDEX installation_token_by_token ON installation_token (token);
