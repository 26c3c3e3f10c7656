-- A message of a chat that is kept up to date, and where it stands.
ALTER TABLE chats ADD COLUMN pin TEXT;
