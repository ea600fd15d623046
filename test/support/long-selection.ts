/**
 * Files that `npm test` leaves out, as it may take ten minutes on two cores. `npm run torture -- --only long-forms` runs all
 * of them, and `npm run test:postgres` those that are about PostgreSQL.
 */
export const LONG_FILES = [
  // Several nodes, each with a server of its own: nodes, late-files and locked-table stay.
  'test/api/nodes/finishing.test.ts',
  'test/api/nodes/janitor.test.ts',
  'test/api/nodes/jobs.test.ts',
  'test/api/nodes/node-readiness.test.ts',
  'test/api/nodes/nodes-cut-off.test.ts',
  'test/api/nodes/rolling-restart.test.ts',
  'test/api/nodes/rolling-update.test.ts',
  'test/api/nodes/workers.test.ts',
  'test/api/site/postgres-start.test.ts',
  'test/api/desk/postgres-commands.test.ts',
  'test/api/desk/move-database-site.test.ts',
  'test/api/desk/store-owner.test.ts',
  // A second place, a second database, a second machine; others of the kind stay.
  'test/api/desk/move-database.test.ts',
  'test/api/desk/offsite-backups.test.ts',
  'test/api/video/worker-troubles.test.ts',
  // The calls behind these pages are tried.
  'test/browser/video/stored-media.test.ts',
  'test/browser/video/trim.test.ts',
  'test/browser/video/visibility.test.ts',
  // Parts of torture try the same, and more.
  'test/api/site/clock.test.ts',
  'test/api/site/random-kill.test.ts',
  // What it shows is seen with the first `npm run demo`.
  'test/browser/site/demo.test.ts',
]

/** What a project does not run. */
export const LEFT_OUT = process.env.LONG_FORM === '1' ? [] : LONG_FILES
