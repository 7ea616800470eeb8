-- What a person said, or what was taken, for times that do not say it themselves.

ALTER TABLE source ADD COLUMN assumed_zone TEXT;     -- zone of times without one; NULL: all have one
ALTER TABLE source ADD COLUMN assumed_time INTEGER;  -- time of records without one; NULL: all have one
