/**
 * Files that `npm test` leaves out, because it may take ten minutes on two cores. `npm run torture -- --only long-forms` runs
 * all of them, and `npm run test:postgres` those of `test/api` that run on PostgreSQL.
 */
export const LONG_FILES = [
  // Several nodes, each with its own server. `npm test` still runs nodes and locked-table.
  'test/api/nodes/finishing.test.ts',
  'test/api/nodes/long-work.test.ts',
  'test/api/nodes/janitor.test.ts',
  'test/api/nodes/late-files.test.ts',
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
  // A second place, database or machine. `npm test` still runs others like them.
  'test/api/desk/move-database.test.ts',
  'test/api/desk/offsite-backups.test.ts',
  'test/api/video/worker-troubles.test.ts',
  // Pages whose calls the api tests try.
  'test/browser/video/stored-media.test.ts',
  'test/browser/video/trim.test.ts',
  'test/browser/video/visibility.test.ts',
  'test/browser/video/player-stream.test.ts',
  'test/browser/video/queue.test.ts',
  'test/browser/video/clip-feed.test.ts',
  'test/browser/community/channel-community.test.ts',
  'test/browser/community/history.test.ts',
  'test/browser/discovery/home-shelves.test.ts',
  'test/browser/discovery/share-links.test.ts',
  'test/browser/discovery/sharing.test.ts',
  'test/browser/desk/admin-pages.test.ts',
  'test/browser/site/states.test.ts',
  'test/browser/site/request-id.test.ts',
  // `npm test` still runs lost-connection, and home without a connection.
  'test/browser/site/reconnect.test.ts',
  'test/browser/site/error-catalogue.test.ts',
  'test/browser/video/mini-player.test.ts',
  'test/browser/video/cut-page.test.ts',
  'test/browser/community/playlist.test.ts',
  'test/browser/community/played-along.test.ts',
  'test/browser/desk/admin-in-place.test.ts',
  'test/browser/discovery/card.test.ts',
  'test/browser/discovery/share-dialogs.test.ts',
  'test/browser/video/inbox.test.ts',
  'test/browser/video/moments.test.ts',
  'test/browser/video/studio-media.test.ts',
  'test/browser/account/confirm-password.test.ts',
  'test/browser/account/live-bell.test.ts',
  'test/browser/account/mail.test.ts',
  'test/browser/account/setup.test.ts',
  'test/browser/community/library.test.ts',
  'test/browser/community/subscriptions.test.ts',
  'test/browser/desk/games.test.ts',
  'test/browser/desk/nodes.test.ts',
  'test/browser/discovery/card-menu.test.ts',
  'test/browser/discovery/explore.test.ts',
  'test/browser/site/member-batches.test.ts',
  'test/browser/video/montage.test.ts',
  'test/browser/video/player-trouble.test.ts',
  'test/browser/video/sound-held.test.ts',
  // More shapes of recordings. `npm test` still runs a file for each step of the work.
  'test/api/video/clip-files.test.ts',
  'test/api/video/hostile-media.test.ts',
  'test/api/video/montages.test.ts',
  'test/api/video/media/media-clients.test.ts',
  'test/api/video/sound-names.test.ts',
  'test/unit/processing-corpus.test.ts',
  'test/unit/processing-fidelity.test.ts',
  'test/unit/processing-montage.test.ts',
  'test/unit/processing-shapes.test.ts',
  // Commands and copies of whole sites.
  'test/api/desk/backup-elsewhere.test.ts',
  'test/api/desk/commands-doctor.test.ts',
  'test/api/desk/untrusted-backups.test.ts',
  'test/api/desk/move-media.test.ts',
  'test/api/desk/stray-files.test.ts',
  'test/api/platform/file-modes.test.ts',
  'test/api/site/document-commands.test.ts',
  // Parts of torture try the same and more.
  'test/api/site/fuzz.test.ts',
  'test/api/site/kill.test.ts',
  'test/api/site/restart.test.ts',
  'test/api/site/clock.test.ts',
  'test/api/site/random-kill.test.ts',
  'test/api/site/chat-post-kill.test.ts',
  'test/api/video/inbox-kill.test.ts',
  'test/api/video/inbox-many.test.ts',
  'test/api/site/long-work-kill.test.ts',
  // A failure is plain at the first `npm run demo`.
  'test/browser/site/demo.test.ts',
]

/** Whether `npm run torture -- --only long-forms` runs the tests: then they try all that they know. */
export const isLongForm = process.env.LONG_FORM === '1'

/** Files that this run excludes. */
export const LEFT_OUT = isLongForm ? [] : LONG_FILES
