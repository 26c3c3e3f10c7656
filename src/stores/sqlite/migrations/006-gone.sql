-- Positions that are gone, until everybody has been told: a chat that could not be kept hears of them later.
ALTER TABLE owners ADD COLUMN gone TEXT NOT NULL DEFAULT '[]';
