-- name: release_installations
-- purpose: Judgements of one release by installation, over all its days, from the roll-ups.
-- parameters:
--   app text Bundle id of the app; '' if it is not known.
--   version text Version.
--   build text Build; '' if it is not known.
-- rows: many
-- columns:
--   phone integer Kind of phone: all rows of one follow each other and have the same OS version and model.
--   os text OS version; '' if it is not known.
--   model text Device model; '' if it is not known.
--   installation integer Installation.
--   class integer Group of meanings: 0 rich, 1 plain, 2 silent, 3 other.
--   judgement integer As in the table notification.
--   step text Step; '' if none.
--   cause text Cause; '' if none.
--   link integer 0 exact, 1 guess, 2 no device record, 3 no send.
--   covered boolean A gapless run of the installation's counter lies around it.
--   only_accepted boolean As meant as far as APNs' answer tells: nothing else is known of it.
--   notifications integer [notifications] Counted.
-- rate: none
SELECT
  a.id AS phone,
  a.os_version AS os,
  a.device_model AS model,
  r.installation_id AS installation,
  r.class AS class,
  r.judgement AS judgement,
  r.step AS step,
  r.cause AS cause,
  r.link AS link,
  r.covered AS covered,
  r.only_accepted AS only_accepted,
  r.notifications AS notifications
FROM installed_app AS a
CROSS JOIN release_installation AS r ON r.app_id = a.id
WHERE a.app = :app AND a.app_version = :version AND a.build = :build
ORDER BY
  a.id, r.installation_id, r.class, r.judgement, r.step, r.cause, r.link, r.covered,
  r.only_accepted
