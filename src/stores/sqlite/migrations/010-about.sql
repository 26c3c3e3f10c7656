-- What a message is about stands with it: only those that wait in one chat are ever compared.
ALTER TABLE outbox ADD COLUMN about TEXT NOT NULL DEFAULT '[]';
UPDATE outbox SET about = (
  SELECT json_group_array(about) FROM (SELECT about FROM outbox_about WHERE row_id = outbox.id ORDER BY about)
) WHERE id IN (SELECT row_id FROM outbox_about);
DROP TABLE outbox_about;
