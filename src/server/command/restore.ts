/**
 * `npm run restore -- DIR`: puts a backup into the empty data folder of a stopped site. Everybody
 * signs in again afterwards, and uploads that were under way start again.
 */
import { resolve } from 'node:path'
import { restoreBackup } from '../desk/backup/restore-backup.ts'
import { readConfig } from '../platform/config.ts'
import { count, readOneArgument, runCommand, say } from './command-line.ts'

const USAGE = 'Say which backup to put back: npm run restore -- DIR'

await runCommand(async () => {
  const folder = resolve(readOneArgument(USAGE))
  const { dataFolder } = readConfig()
  const { createdAt, videos, members, missing } = await restoreBackup({ dataFolder, folder })
  say(
    `Restored ${count(videos, 'video')} and ${count(members, 'member')} to ${dataFolder}, ` +
      `as of ${createdAt}.`,
  )
  if (missing.length > 0) {
    say(`Missing already when the backup was made: ${count(missing.length, 'file')}.`)
  }
  say('All sessions are ended: everybody signs in again. Start the site with npm start.')
  return 0
})
