-- Who may acknowledge in a bound chat: 'known' for its administrators and people who use Perch, or 'anybody'.
ALTER TABLE chats ADD COLUMN acks_by TEXT NOT NULL DEFAULT 'known';
