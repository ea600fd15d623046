-- For a database that pg_restore has just put back, before the site starts with it: see docs/postgresql.md.
-- What was ended since the backup, such as the session of somebody who was banned, must not be good again.
BEGIN;
DELETE FROM "sessions";
DELETE FROM "apiTokens";
DELETE FROM "workers";
-- In a dump from before their codes were hashed these can be read.
UPDATE "invites" SET "revokedAt" = to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  WHERE "revokedAt" IS NULL
    AND NOT EXISTS (SELECT 1 FROM "kysely_migration" WHERE "name" = '023-invite-hashes');
UPDATE "uploads" SET "state" = 'expired', "prepared" = NULL WHERE "state" IN ('receiving', 'finalizing');
UPDATE "jobs" SET "state" = 'queued', "percent" = 0 WHERE "state" = 'running';
COMMIT;
