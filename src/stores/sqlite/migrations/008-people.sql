-- Where what is critical and nobody answers goes as well, beside the fallback.
ALTER TABLE persons ADD COLUMN steps TEXT NOT NULL DEFAULT '[]';

-- Who has agreed to be told what is critical for somebody else, and until when they get it at once.
CREATE TABLE agreements (
  person_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  helper_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  helper_name TEXT NOT NULL,
  at INTEGER NOT NULL,
  handed_until INTEGER,
  PRIMARY KEY (person_id, helper_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX agreements_by_helper ON agreements (helper_id);

-- What whoever asks somebody to stand in for them is called.
ALTER TABLE codes ADD COLUMN name TEXT;
