-- Pages and assistants that speak for a person. `user` is the digest of their secret, which nobody keeps here.
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  kind TEXT NOT NULL, user TEXT NOT NULL UNIQUE, name TEXT NOT NULL, via TEXT NOT NULL,
  since INTEGER NOT NULL, until INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_of_person ON sessions (person_id);
CREATE INDEX sessions_by_end ON sessions (until);
-- The assistant that has set a rule, by the name that its person gave it.
ALTER TABLE rules ADD COLUMN set_by TEXT;
