-- name: span_release_installations
-- purpose: Judgements of one release by installation, over some days, from the rows.
-- parameters:
--   app text Bundle id of the app; '' if it is not known.
--   version text Version.
--   build text Build; '' if it is not known.
--   first integer Smallest row number of the UTC days concerned.
--   last integer Largest row number of the UTC days concerned.
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
  n.installation_id AS installation,
  CASE
    WHEN n.kind = 1 THEN 2
    WHEN n.kind <> 0 THEN 3
    WHEN n.meant & 768 THEN 3
    WHEN n.meant & 62 THEN 0
    WHEN n.meant & 128 THEN 2
    ELSE 1
  END AS class,
  n.judgement AS judgement,
  coalesce(n.step, '') AS step,
  coalesce(n.cause, '') AS cause,
  CASE
    WHEN n.sends = 0 THEN 3
    WHEN n.events = 0 THEN 2
    WHEN n.link IN (6, 7) THEN 1
    ELSE 0
  END AS link,
  n.covered AS covered,
  n.judgement = 0 AND n.confidence = 0 AND n.kind IN (0, 1) AND n.meant & 768 = 0 AS only_accepted,
  count(*) AS notifications
FROM notification_row AS n
CROSS JOIN installed_app AS a ON a.id = n.app_id
WHERE
  n.id BETWEEN :first AND :last
  AND a.app = :app
  AND a.app_version = :version
  AND a.build = :build
GROUP BY a.id, n.installation_id, 5, 6, 7, 8, 9, n.covered, 11
ORDER BY a.id, n.installation_id, 5, 6, 7, 8, 9, n.covered, 11
