-- Of a code only its hash is kept. Codes that were waiting stood in plain text and end here.
DROP TABLE codes;
CREATE TABLE codes (
  hash TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  person_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL,
  claimant TEXT
) STRICT, WITHOUT ROWID;

-- A critical message that its chat has not taken goes to another one as well, once.
ALTER TABLE outbox ADD COLUMN copied_at INTEGER;
CREATE INDEX outbox_untaken ON outbox (queued_at) WHERE state = 'waiting' AND urgency = 0 AND copied_at IS NULL;

-- What is wanted and has not been seen since then, also by the runs before this one.
CREATE TABLE dark (
  feed TEXT PRIMARY KEY,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
