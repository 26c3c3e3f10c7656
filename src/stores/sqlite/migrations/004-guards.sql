-- What is judged is a guard: (chat, kind, identity, subject), no longer (rule, subject). Rules that cover the same
-- subject in a chat share its state and memo; identities come with kinds that have one, and no kind of schema 3 has.
ALTER TABLE rules ADD COLUMN identity TEXT NOT NULL DEFAULT '';

ALTER TABLE states RENAME TO rule_states;
ALTER TABLE memos RENAME TO rule_memos;

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

CREATE TABLE memos (
  chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  identity TEXT NOT NULL,
  subject TEXT NOT NULL,
  memo TEXT NOT NULL,
  PRIMARY KEY (chat_id, kind, identity, subject)
) STRICT, WITHOUT ROWID;

-- Where two rules of a chat fire about one position, the alert that stands nearest to liquidation goes on; a tier is
-- named by the parameters it was judged by. What ends here was told, and is told no more.
INSERT INTO states
SELECT chat_id, kind, '', subject, state, value, params FROM (
  SELECT chat_id, kind, subject, state, value, params, row_number() OVER (
    PARTITION BY chat_id, kind, subject
    ORDER BY json_extract(params, '$.tiers[' || (json_extract(state, '$.tier') - 1) || ']'), rule_id
  ) AS place
  FROM rule_states JOIN rules ON rules.id = rule_id
) WHERE place = 1;

UPDATE alerts SET closed_at = opened_at WHERE closed_at IS NULL
  AND id IN (SELECT json_extract(state, '$.alertId') FROM rule_states)
  AND id NOT IN (SELECT json_extract(state, '$.alertId') FROM states);

-- A memo that lists positions is the union of what the rules knew: each of them left out what another one told.
INSERT INTO memos
SELECT chat_id, kind, '', subject,
  CASE max(json_type(memo))
    WHEN 'array' THEN (
      SELECT json_group_array(DISTINCT each.value) FROM rule_memos AS theirs
        JOIN rules AS rule ON rule.id = theirs.rule_id, json_each(theirs.memo) AS each
      WHERE rule.chat_id = mine.chat_id AND rule.kind = mine.kind AND theirs.subject = mine.subject
    )
    WHEN 'object' THEN (
      SELECT json_group_object(each.key, each.value) FROM rule_memos AS theirs
        JOIN rules AS rule ON rule.id = theirs.rule_id, json_each(theirs.memo) AS each
      WHERE rule.chat_id = mine.chat_id AND rule.kind = mine.kind AND theirs.subject = mine.subject
    )
    ELSE min(memo)
  END
FROM (SELECT chat_id, kind, subject, memo FROM rule_memos JOIN rules ON rules.id = rule_id) AS mine
GROUP BY chat_id, kind, subject;

DROP TABLE rule_states;
DROP TABLE rule_memos;

-- An alert is of a guard as well, and names all rules behind it.
DROP INDEX open_alerts_by_rule;
ALTER TABLE alerts ADD COLUMN identity TEXT NOT NULL DEFAULT '';
ALTER TABLE alerts ADD COLUMN rule_ids TEXT NOT NULL DEFAULT '[]';
UPDATE alerts SET rule_ids = json_array(rule_id);
ALTER TABLE alerts DROP COLUMN rule_id;

-- Order holds per guard and per feed, also where one alert ends and the next one of the same guard begins.
CREATE TABLE outbox_about (
  row_id INTEGER NOT NULL REFERENCES outbox (id) ON DELETE CASCADE,
  about TEXT NOT NULL,
  PRIMARY KEY (about, row_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_about_by_row ON outbox_about (row_id);
INSERT OR IGNORE INTO outbox_about
SELECT row_id, alerts.chat_id || '|' || kind || '|' || identity || '|' || subject
  FROM outbox_alerts JOIN alerts ON alerts.id = alert_id JOIN outbox ON outbox.id = row_id AND state = 'waiting';

-- Why something is said, and when it was found. What is older has neither.
ALTER TABLE steps ADD COLUMN reason TEXT;
ALTER TABLE outbox ADD COLUMN reason TEXT;
ALTER TABLE outbox ADD COLUMN detected_at INTEGER;
UPDATE outbox SET detected_at = queued_at;
