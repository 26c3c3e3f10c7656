-- When each venue after the first was last asked for a wallet, and whether it knows the wallet.
ALTER TABLE owners ADD COLUMN looks TEXT NOT NULL DEFAULT '{}';
