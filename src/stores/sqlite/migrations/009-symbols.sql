-- What the markets of a wallet's positions are called, by their id: a start into a dark venue can name them.
ALTER TABLE owners ADD COLUMN symbols TEXT NOT NULL DEFAULT '{}';
