-- The language that a person has chosen, the one in which their platform last spoke, and how long their alerts are.
ALTER TABLE persons ADD COLUMN language TEXT;
ALTER TABLE persons ADD COLUMN spoken TEXT;
ALTER TABLE persons ADD COLUMN detail TEXT NOT NULL DEFAULT 'short';
