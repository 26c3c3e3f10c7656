-- When a person gets pictures, and how these look. `picture_of`: the alert whose message the picture of a row follows.
ALTER TABLE persons ADD COLUMN pictures TEXT NOT NULL DEFAULT 'on';
ALTER TABLE persons ADD COLUMN theme TEXT NOT NULL DEFAULT 'dark';
ALTER TABLE outbox ADD COLUMN picture_of INTEGER;
