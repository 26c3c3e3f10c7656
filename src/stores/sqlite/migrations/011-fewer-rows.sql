-- A message about one alert, as nearly all are, names it in its own row; what the others are about stands beside them.
ALTER TABLE outbox ADD COLUMN only_alert INTEGER;
UPDATE outbox SET only_alert = (SELECT alert_id FROM outbox_alerts WHERE row_id = outbox.id)
WHERE (SELECT count(*) FROM outbox_alerts WHERE row_id = outbox.id) = 1;
DELETE FROM outbox_alerts WHERE row_id IN (SELECT id FROM outbox WHERE only_alert IS NOT NULL);
CREATE INDEX outbox_by_alert ON outbox (only_alert) WHERE only_alert IS NOT NULL;
ALTER TABLE outbox_alerts RENAME TO outbox_several;
DROP INDEX outbox_alerts_by_row;
CREATE INDEX outbox_several_by_row ON outbox_several (row_id);
CREATE VIEW outbox_alerts (row_id, alert_id) AS
  SELECT id, only_alert FROM outbox WHERE only_alert IS NOT NULL
  UNION ALL SELECT row_id, alert_id FROM outbox_several;

-- The first step of its trail stands with an alert: what has happened has no other, nor has most of what a crash fires.
ALTER TABLE alerts ADD COLUMN began_what TEXT;
ALTER TABLE alerts ADD COLUMN began_reason TEXT;
ALTER TABLE alerts ADD COLUMN began_value REAL;
ALTER TABLE alerts ADD COLUMN began_threshold TEXT;
ALTER TABLE alerts ADD COLUMN began_data_at INTEGER;
ALTER TABLE alerts ADD COLUMN began_row_id INTEGER;

-- What is old enough to be forgotten is found without looking at what is not.
CREATE INDEX alerts_by_end ON alerts (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX inputs_by_time ON inputs (at);
CREATE INDEX outbox_by_end ON outbox (settled_at) WHERE settled_at IS NOT NULL;
