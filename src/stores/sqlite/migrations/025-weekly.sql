-- The weekly digest of a chat: its day and time, and what was told last. Null: nobody wants one.
ALTER TABLE chats ADD COLUMN weekly TEXT;
