-- The preset of thresholds that a person has chosen, with the way back; null for the normal one.
ALTER TABLE persons ADD COLUMN preset TEXT;
