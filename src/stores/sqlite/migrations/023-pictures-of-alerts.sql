-- The pictures of an alert go with it: who may not read its words may not look at them either.
CREATE INDEX outbox_pictures ON outbox (picture_of) WHERE picture_of IS NOT NULL;
