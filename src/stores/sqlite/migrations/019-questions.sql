-- Questions that wait for the next message of one person in one chat.
CREATE TABLE questions (
  platform TEXT NOT NULL, user TEXT NOT NULL, chat TEXT NOT NULL, thread TEXT NOT NULL,
  person_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  asked TEXT NOT NULL, until INTEGER NOT NULL,
  PRIMARY KEY (platform, user, chat, thread)
) STRICT, WITHOUT ROWID;
CREATE INDEX questions_of_person ON questions (person_id);
