/**
 * The api tests that `npm test` runs on PostgreSQL too: who may see what, and what writes most. Each transaction
 * runs twice there. `npm run test:postgres` runs all of them, each transaction once, as many expect certain ids.
 */
export const QUICK_ON_POSTGRES = [
  'test/api/site/long-work.test.ts',
  'test/api/site/races.test.ts',
  'test/api/video/clips.test.ts',
  'test/api/video/expiry.test.ts',
  'test/api/video/job-queue.test.ts',
  'test/api/video/user-videos.test.ts',
  'test/api/video/visibility.test.ts',
]

/** What is about a database that is a file: its backups, its disk, its migrations; and processes that have one. */
export const ONLY_ON_SQLITE = [
  'test/api/community/watch-room-many.test.ts',
  'test/api/desk/admin-backup.test.ts',
  'test/api/desk/backup-elsewhere.test.ts',
  'test/api/desk/commands-backup.test.ts',
  'test/api/desk/commands-doctor.test.ts',
  'test/api/desk/import-desk.test.ts',
  'test/api/desk/import-fireshare.test.ts',
  'test/api/desk/import-peertube.test.ts',
  'test/api/desk/offsite-backups.test.ts',
  'test/api/desk/site-elsewhere.test.ts',
  'test/api/desk/store-owner.test.ts',
  'test/api/desk/stray-files.test.ts',
  'test/api/desk/untrusted-backups.test.ts',
  'test/api/platform/schema.test.ts',
  'test/api/site/chat-post-kill.test.ts',
  'test/api/site/commands.test.ts',
  'test/api/site/demo.test.ts',
  'test/api/site/full-disk.test.ts',
  'test/api/site/kill.test.ts',
  'test/api/site/load.test.ts',
  'test/api/site/long-work-kill.test.ts',
  'test/api/site/random-kill.test.ts',
  'test/api/site/restart.test.ts',
  'test/api/site/start-and-stop.test.ts',
  'test/api/video/fetch-kill.test.ts',
  'test/api/video/inbox-kill.test.ts',
]
