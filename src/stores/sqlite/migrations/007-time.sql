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

-- What somebody has done about an alert, put into the last message about it; such a row is never handed on.
ALTER TABLE outbox ADD COLUMN note TEXT;
DROP INDEX outbox_untaken;
CREATE INDEX outbox_untaken ON outbox (queued_at)
  WHERE state = 'waiting' AND urgency = 0 AND copied_at IS NULL AND note IS NULL;

-- What waited for long is said as one: the message that says it.
ALTER TABLE outbox ADD COLUMN merged_into INTEGER;
CREATE INDEX outbox_merged ON outbox (merged_into) WHERE merged_into IS NOT NULL;

-- When a summary of the day comes, and what the last one counted.
ALTER TABLE chats ADD COLUMN digest TEXT;

-- When something was not seen, and by whom; no chat and no feed: the bot did not run.
CREATE TABLE gaps (
  chat_id INTEGER REFERENCES chats (id) ON DELETE CASCADE,
  feed TEXT,
  since INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;
CREATE INDEX gaps_by_end ON gaps (until);
CREATE INDEX gaps_by_chat ON gaps (chat_id);
CREATE INDEX alerts_by_chat ON alerts (chat_id, closed_at);

-- The last drill of each person, and what they did about it.
CREATE TABLE drills (
  person_id INTEGER PRIMARY KEY REFERENCES persons (id) ON DELETE CASCADE,
  drill TEXT NOT NULL
) STRICT;

-- After how many repeats what is critical goes to the fallback as well.
ALTER TABLE persons ADD COLUMN escalate_from INTEGER NOT NULL DEFAULT 3;
