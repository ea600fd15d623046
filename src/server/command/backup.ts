/**
 * `npm run backup -- DIR`: a snapshot of the database and of the media it speaks of, while the site
 * runs or not. DIR appears only when it is whole.
 */
import { resolve } from 'node:path'
import { countOf, formatBytes } from '#shared/text/format.ts'
import { makeBackup } from '../desk/backup/make-backup.ts'
import { readOneArgument, requireDataFolder, runCommand, say } from './command-line.ts'

const USAGE = 'Say where the backup goes: npm run backup -- DIR'

await runCommand(async () => {
  const folder = resolve(readOneArgument(USAGE))
  const { manifest, copied } = await makeBackup({ dataFolder: requireDataFolder(), folder })
  const { videos, members, files, database, missing } = manifest
  const mediaBytes = files.reduce((sum, file) => sum + file.bytes, 0)
  say(
    `Backed up ${countOf(videos, 'video')} and ${countOf(members, 'member')} to ${folder}: ` +
      `a database of ${formatBytes(database.bytes)} and ` +
      `${countOf(files.length, 'media file')} of ${formatBytes(mediaBytes)}.`,
  )
  if (missing.length > 0) {
    say(
      `Missing on the site itself: ${countOf(missing.length, 'file')}; npm run doctor names them.`,
    )
  }
  if (files.length > 0 && !copied) {
    say('The media share their disk with the site: copy the folder to another one as well.')
  }
  return 0
})
