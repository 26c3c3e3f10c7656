-- What the end of a position brought, beside the alert that told of it: history and its export show it.
ALTER TABLE alerts ADD COLUMN closing TEXT;
