CREATE VIEW outbox_alerts (row_id, alert_id) AS
  SELECT id, only_alert FROM outbox WHERE only_alert IS NOT NULL
  UNION ALL SELECT row_id, alert_id FROM outbox_several;

CREATE TABLE agreements (
  person_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  helper_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  helper_name TEXT NOT NULL,
  at INTEGER NOT NULL,
  handed_until INTEGER,
  PRIMARY KEY (person_id, helper_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE alerts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  chat_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject TEXT NOT NULL,
  title TEXT NOT NULL,
  severity TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  closed_at INTEGER
, identity TEXT NOT NULL DEFAULT '', rule_ids TEXT NOT NULL DEFAULT '[]', began_what TEXT, began_reason TEXT, began_value REAL, began_threshold TEXT, began_data_at INTEGER, began_row_id INTEGER, closing TEXT) STRICT;

CREATE TABLE chats (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  platform TEXT NOT NULL,
  chat TEXT NOT NULL,
  thread TEXT,
  person_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  private INTEGER NOT NULL,
  broken_because TEXT
, title TEXT, mention TEXT, quiet TEXT, digest TEXT, pin TEXT, acks_by TEXT NOT NULL DEFAULT 'known', weekly TEXT) STRICT;

CREATE TABLE codes (
  hash TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  person_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  expires_at INTEGER NOT NULL,
  claimant TEXT
, name TEXT) STRICT, WITHOUT ROWID;

CREATE TABLE dark (
  feed TEXT PRIMARY KEY,
  since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE drills (
  person_id INTEGER PRIMARY KEY REFERENCES persons (id) ON DELETE CASCADE,
  drill TEXT NOT NULL
) STRICT;

CREATE TABLE feeds (
  feed TEXT NOT NULL,
  chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  since INTEGER NOT NULL,
  why TEXT NOT NULL,
  PRIMARY KEY (feed, chat_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE gaps (
  chat_id INTEGER REFERENCES chats (id) ON DELETE CASCADE,
  feed TEXT,
  since INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;

CREATE TABLE held (
  chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  alert_id INTEGER NOT NULL,
  held TEXT NOT NULL,
  PRIMARY KEY (chat_id, alert_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE identities (
  platform TEXT NOT NULL,
  user TEXT NOT NULL,
  person_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  PRIMARY KEY (platform, user)
) STRICT, WITHOUT ROWID;

CREATE TABLE inputs (
  platform TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (platform, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE memos (
  chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  identity TEXT NOT NULL,
  subject TEXT NOT NULL,
  memo TEXT NOT NULL,
  PRIMARY KEY (chat_id, kind, identity, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE mutes (
  chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  muted TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (chat_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  urgency INTEGER NOT NULL,
  silent INTEGER NOT NULL,
  message TEXT NOT NULL,
  queued_at INTEGER NOT NULL,
  expires_at INTEGER,
  due_at INTEGER NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting',
  tried_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0,
  possible_repeat INTEGER NOT NULL DEFAULT 0,
  plain INTEGER NOT NULL DEFAULT 0,
  settled_at INTEGER,
  ref TEXT,
  why TEXT
, reason TEXT, detected_at INTEGER, copied_at INTEGER, note TEXT, merged_into INTEGER, about TEXT NOT NULL DEFAULT '[]', only_alert INTEGER, picture_of INTEGER) STRICT;

CREATE TABLE "outbox_several" (
  row_id INTEGER NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
  alert_id INTEGER NOT NULL,
  PRIMARY KEY (alert_id, row_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE owners (
  owner TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  positions TEXT NOT NULL,
  prices TEXT NOT NULL
, gone TEXT NOT NULL DEFAULT '[]', symbols TEXT NOT NULL DEFAULT '{}', passed TEXT NOT NULL DEFAULT '{}', looks TEXT NOT NULL DEFAULT '{}') STRICT, WITHOUT ROWID;

CREATE TABLE past (
  series TEXT NOT NULL,
  id TEXT NOT NULL,
  since INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (series, id, since)
) STRICT;

CREATE TABLE past_left (
  owner TEXT PRIMARY KEY,
  before INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE past_pieces (
  at INTEGER NOT NULL,
  id TEXT NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (at, id)
) STRICT;

CREATE TABLE persons (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  operator INTEGER NOT NULL,
  zone TEXT NOT NULL,
  default_chat INTEGER
, numbers TEXT NOT NULL DEFAULT '1,234.5', fallback_chat INTEGER, escalate_from INTEGER NOT NULL DEFAULT 3, steps TEXT NOT NULL DEFAULT '[]', language TEXT, spoken TEXT, detail TEXT NOT NULL DEFAULT 'short', pictures TEXT NOT NULL DEFAULT 'on', theme TEXT NOT NULL DEFAULT 'dark', preset TEXT) STRICT;

CREATE TABLE questions (
  platform TEXT NOT NULL, user TEXT NOT NULL, chat TEXT NOT NULL, thread TEXT NOT NULL,
  person_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  asked TEXT NOT NULL, until INTEGER NOT NULL,
  PRIMARY KEY (platform, user, chat, thread)
) STRICT, WITHOUT ROWID;

CREATE TABLE rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  params TEXT NOT NULL,
  owner TEXT,
  market_id TEXT,
  symbol TEXT,
  armed_by_watch INTEGER NOT NULL
, identity TEXT NOT NULL DEFAULT '', hold_ms INTEGER NOT NULL DEFAULT 15000, set_by TEXT) STRICT;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  kind TEXT NOT NULL, user TEXT NOT NULL UNIQUE, name TEXT NOT NULL, via TEXT NOT NULL,
  since INTEGER NOT NULL, until INTEGER NOT NULL
) STRICT;

CREATE TABLE states (
  chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  identity TEXT NOT NULL,
  subject TEXT NOT NULL,
  state TEXT NOT NULL,
  value REAL NOT NULL,
  params TEXT NOT NULL,
  PRIMARY KEY (chat_id, kind, identity, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE steps (
  alert_id INTEGER NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  value REAL,
  threshold TEXT NOT NULL,
  data_at INTEGER NOT NULL,
  row_id INTEGER
, reason TEXT) STRICT;

CREATE TABLE watches (
  owner TEXT NOT NULL,
  person_id INTEGER NOT NULL REFERENCES persons (id) ON DELETE CASCADE,
  label TEXT NOT NULL,
  since INTEGER NOT NULL, sort TEXT NOT NULL DEFAULT 'own',
  PRIMARY KEY (owner, person_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX agreements_by_helper ON agreements (helper_id);

CREATE INDEX alerts_by_chat ON alerts (chat_id, closed_at);

CREATE INDEX alerts_by_end ON alerts (closed_at) WHERE closed_at IS NOT NULL;

CREATE INDEX alerts_by_person ON alerts (person_id, id);

CREATE UNIQUE INDEX chats_by_address ON chats (platform, chat, ifnull(thread, ''));

CREATE INDEX gaps_by_chat ON gaps (chat_id);

CREATE INDEX gaps_by_end ON gaps (until);

CREATE INDEX inputs_by_time ON inputs (at);

CREATE INDEX outbox_by_alert ON outbox (only_alert) WHERE only_alert IS NOT NULL;

CREATE INDEX outbox_by_due ON outbox (due_at) WHERE state = 'waiting';

CREATE INDEX outbox_by_end ON outbox (settled_at) WHERE settled_at IS NOT NULL;

CREATE INDEX outbox_by_urgency ON outbox (urgency, id, chat_id) WHERE state = 'waiting';

CREATE INDEX outbox_merged ON outbox (merged_into) WHERE merged_into IS NOT NULL;

CREATE INDEX outbox_parked ON outbox (id) WHERE state = 'parked';

CREATE INDEX outbox_pictures ON outbox (picture_of) WHERE picture_of IS NOT NULL;

CREATE INDEX outbox_several_by_row ON outbox_several (row_id);

CREATE INDEX outbox_untaken ON outbox (queued_at)
  WHERE state = 'waiting' AND urgency = 0 AND copied_at IS NULL AND note IS NULL;

CREATE INDEX outbox_waiting ON outbox (chat_id, urgency, id) WHERE state = 'waiting';

CREATE INDEX past_by_time ON past (series, since);

CREATE INDEX questions_of_person ON questions (person_id);

CREATE INDEX sessions_by_end ON sessions (until);

CREATE INDEX sessions_of_person ON sessions (person_id);

CREATE INDEX steps_by_alert ON steps (alert_id);
