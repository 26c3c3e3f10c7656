-- Wallets that nobody watches any more: what was recorded of them before then (wall time) is not read, and goes little by little.
CREATE TABLE past_left (
  owner TEXT PRIMARY KEY,
  before INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
