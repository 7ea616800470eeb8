-- What a source shows of its own completeness, and the year that was taken for its times.

ALTER TABLE source ADD COLUMN assumed_year INTEGER;  -- year of times without one; NULL: all have one
ALTER TABLE source ADD COLUMN loss_records INTEGER NOT NULL DEFAULT 0;  -- records that say that lines were lost
ALTER TABLE source ADD COLUMN lost_lines INTEGER NOT NULL DEFAULT 0;    -- how many they say, at least
ALTER TABLE source ADD COLUMN hidden_lines INTEGER NOT NULL DEFAULT 0;  -- lines that hide a value as <private>
ALTER TABLE source ADD COLUMN filter_notes INTEGER NOT NULL DEFAULT 0;  -- lines that say that it was filtered
ALTER TABLE source ADD COLUMN system_lines INTEGER NOT NULL DEFAULT 0;  -- log lines of a phone's processes
ALTER TABLE source ADD COLUMN levels INTEGER NOT NULL DEFAULT 0;        -- levels seen: 1 debug, 2 info, 4 default, 8 error
ALTER TABLE source ADD COLUMN processes INTEGER NOT NULL DEFAULT 0;     -- seen: 1 apsd, 2 SpringBoard, 4 runningboardd, 8 dasd, 16 kernel
ALTER TABLE source ADD COLUMN numbered INTEGER NOT NULL DEFAULT 0;      -- records with a number of a counter
ALTER TABLE source ADD COLUMN unnumbered INTEGER NOT NULL DEFAULT 0;    -- records of such a format without one
