/**
 * `npm run restore -- DIR`: puts a backup into the empty data folder of a stopped site. Everybody
 * signs in again afterwards, and uploads that were under way start again.
 * `npm run restore -- TARGET [NAME]` takes it from a second place for backups: a folder or `s3://…`.
 */

import { join, resolve } from 'node:path'
import { countOf } from '#shared/text/format.ts'
import { restoreBackup, restoreSnapshot } from '../desk/backup/restore-backup.ts'
import { childEnvironment, readConfig } from '../platform/config.ts'
import { CommandError } from '../platform/errors.ts'
import { exists } from '../platform/files/durable-files.ts'
import { EXIT_WRONG_CALL, readArguments, runCommand, say } from './command-line.ts'

const USAGE = 'Say which backup to put back: npm run restore -- DIR, or -- TARGET [NAME]'

await runCommand(async () => {
  const { positionals } = readArguments({}, USAGE)
  const [word, name, ...others] = positionals
  if (!word || others.length > 0) throw new CommandError(USAGE, EXIT_WRONG_CALL)
  const { dataFolder } = readConfig()
  const { createdAt, videos, members, missing } = await restore({ word, name, dataFolder })
  say(
    `Restored ${countOf(videos, 'video')} and ${countOf(members, 'member')} to ${dataFolder}, ` +
      `as of ${createdAt}.`,
  )
  if (missing.length > 0) {
    say(`Missing already when the backup was made: ${countOf(missing.length, 'file')}.`)
  }
  say('All sessions are ended: everybody signs in again. Start the site with npm start.')
  return 0
})

async function restore(input: { word: string; name: string | undefined; dataFolder: string }) {
  const { word, name, dataFolder } = input
  const isStorage = word.startsWith('s3://')
  const target = isStorage ? word : resolve(word)
  if (isStorage || (await exists(join(target, 'snapshots')))) {
    const { offsite } = readConfig({ ...childEnvironment({}), BACKUP_TARGET: target })
    if (offsite) return restoreSnapshot({ dataFolder, offsite, name })
  }
  if (name !== undefined) throw new CommandError(USAGE, EXIT_WRONG_CALL)
  return restoreBackup({ dataFolder, folder: target })
}
