-- Style of numbers, the chat that stands in for the preferred one, names of bound chats, one-time codes.
ALTER TABLE persons ADD COLUMN numbers TEXT NOT NULL DEFAULT '1,234.5';

ALTER TABLE persons ADD COLUMN fallback_chat INTEGER;

ALTER TABLE chats ADD COLUMN title TEXT;

CREATE TABLE codes (
  code TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  person_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
