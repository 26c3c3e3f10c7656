-- What speaks for a liquidation that nobody saw: the price that had passed where a position is liquidated.
ALTER TABLE owners ADD COLUMN passed TEXT NOT NULL DEFAULT '{}';
