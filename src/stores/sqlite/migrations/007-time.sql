-- What is not critical must hold for a while before it is told.
ALTER TABLE rules ADD COLUMN hold_ms INTEGER NOT NULL DEFAULT 15000;

-- What fires was told, and nobody has said anything about it: what is critical is said again from the next look on.
UPDATE states SET state = json_set(state, '$.heed',
  json_object('is', 'none', 'since', unixepoch() * 1000, 'times', 0, 'ringAt', NULL))
WHERE json_extract(state, '$.is') = 'firing';

-- When only what is critical rings in a chat, as minutes of the day.
ALTER TABLE chats ADD COLUMN quiet TEXT;

-- What of a chat's alerts is not wanted for a while.
CREATE TABLE mutes (
  chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  muted TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (chat_id, name)
) STRICT, WITHOUT ROWID;

-- What was not said because of either, until it is summed up.
CREATE TABLE held (
  chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  alert_id INTEGER NOT NULL,
  held TEXT NOT NULL,
  PRIMARY KEY (chat_id, alert_id)
) STRICT, WITHOUT ROWID;

-- After how many repeats what is critical goes to the fallback as well.
ALTER TABLE persons ADD COLUMN escalate_from INTEGER NOT NULL DEFAULT 3;
