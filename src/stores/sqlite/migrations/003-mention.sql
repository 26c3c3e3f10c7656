-- Whom a platform calls in a bound chat when something is critical.
ALTER TABLE chats ADD COLUMN mention TEXT;
