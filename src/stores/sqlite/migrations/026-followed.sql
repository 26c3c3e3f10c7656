-- Whose wallet it is by the word of its watcher: own, or followed. Watches of earlier versions are of own wallets.
ALTER TABLE watches ADD COLUMN sort TEXT NOT NULL DEFAULT 'own';
