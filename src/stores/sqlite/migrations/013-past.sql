-- What was seen, an hour of a market or of a wallet in a row, as it is read again: one after the other.
CREATE TABLE past (
  series TEXT NOT NULL,
  id TEXT NOT NULL,
  since INTEGER NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (series, id, since)
) STRICT;
CREATE INDEX past_by_time ON past (series, since);

-- The minutes of an hour that goes on: of all markets, or of one wallet.
CREATE TABLE past_pieces (
  at INTEGER NOT NULL,
  id TEXT NOT NULL,
  data BLOB NOT NULL,
  PRIMARY KEY (at, id)
) STRICT;
