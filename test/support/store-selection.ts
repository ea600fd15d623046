/**
 * What of the tests `npm test` runs with the media on an S3 server too, and the database on PostgreSQL, as several nodes have
 * them; `npm run test:store` runs all.
 */
export const QUICK_ON_STORE = [
  'test/api/video/media/media.test.ts',
  'test/api/video/upload.test.ts',
]

const LISTED = 'Of media in a store a backup has the list; backup-elsewhere has those.'

/**
 * What is about a folder as such, by file and with the reason: all of its tests, or those with the given names or
 * beginnings of names. These run only with the media in the data folder.
 */
export const ONLY_IN_FOLDER: Record<string, string | Record<string, string>> = {
  'test/api/desk/admin-backup.test.ts': {
    'is downloaded as an archive that can be restored': LISTED,
  },
  'test/api/desk/admin-storage.test.ts': {
    'forecasts from what the days before took':
      'It is about the room on the disk; site-elsewhere has the store’s.',
  },
  'test/api/desk/backup-elsewhere.test.ts': 'It has a store in any run, and a folder to compare.',
  'test/api/desk/commands-doctor.test.ts': {
    'the file of an open upload':
      'A store has chunks in place of that file; site-elsewhere has those.',
    'its work goes on': 'The command is started here without the settings of a store.',
    'a damaged database is':
      'A store has its owner in the database, so the command ends before it compares files.',
  },
  'test/api/desk/export-for-peertube.test.ts': 'It imports into a site with a folder of media.',
  'test/api/desk/import-fireshare.test.ts': 'It counts what is left in the folders of a site.',
  'test/api/desk/import-peertube.test.ts': 'It counts what is left in the folders of a site.',
  'test/api/desk/move-media.test.ts': 'It has a store in any run, and begins in a folder.',
  'test/api/desk/offsite-backups.test.ts': {
    'gets each backup, what is there already only once': LISTED,
    'has only what its key opens': LISTED,
    'gets backups by the command': LISTED,
    'gets again what arrived with another byte': LISTED,
  },
  'test/api/desk/untrusted-backups.test.ts':
    'It makes backups of a folder, and has a store for what is about one.',
  'test/api/desk/readiness.test.ts': {
    'it is not ready while a folder cannot be written to': 'It is the folder of the media.',
  },
  'test/api/video/job-failures.test.ts': {
    'what went wrong inside': 'A folder stands in the way of a file.',
  },
  'test/api/video/upload.test.ts': {
    'a folder without a row goes': 'Its time is set on the disk; site-elsewhere has the store’s.',
  },
  'test/api/video/media/media.test.ts': {
    'what the client has already by its time':
      'A file of a store has a tag and no time, so that its copies have the same.',
  },
  'test/api/video/media/media-delivery.test.ts': {
    'a deleted video gives its space back at once':
      'It is about open files; stored-media cuts off who reads from a store.',
  },
  'test/api/video/media/media-proxy.test.ts':
    'A proxy sends from the folder; stored-media has one that sends from a store.',
  'test/browser/site/demo.test.ts': 'The demo brings a folder of its own.',
  'test/browser/video/stored-media.test.ts': 'It has a store in any run, and begins in a folder.',
}
