/**
 * Sessions and unfinished uploads are lost. Media go to MEDIA_STORE; listed ones are checked there.
 */

import { lstat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { countOf } from '#shared/text/format.ts'
import { BACKED_UP_ELSEWHERE } from '../desk/backup/file-backups.ts'
import { restoreBackup, restoreSnapshot } from '../desk/backup/restore-backup.ts'
import { childEnvironment, readConfig } from '../platform/config.ts'
import { CommandError } from '../platform/errors.ts'
import type { MediaStore } from '../platform/files/media-store.ts'
import { mediaAddress, openMediaForCommand } from '../platform/files/open-media-store.ts'
import { EXIT_WRONG_CALL, readArguments, runCommand, say } from './command-line.ts'

const NO_ADDRESS =
  'A backup is restored from a folder, or from s3://BUCKET; other addresses are not known.'
const USAGE = 'Say which backup to put back: npm run restore -- DIR, or -- TARGET [NAME]'
const LISTED = 20

await runCommand(async () => {
  const { positionals } = readArguments({}, USAGE)
  const [word, name, ...others] = positionals
  if (!word || others.length > 0) throw new CommandError(USAGE, EXIT_WRONG_CALL)
  // The address may contain a password.
  if (/^(?!s3:)[^/]+:\/\//i.test(word)) throw new CommandError(NO_ADDRESS, EXIT_WRONG_CALL)
  const { dataFolder, media, databaseUrl } = readConfig()
  if (databaseUrl) throw new CommandError(BACKED_UP_ELSEWHERE)
  const address = mediaAddress(media)
  const stores =
    address === undefined ? undefined : await openMediaForCommand({ dataFolder, media })
  const input = { word, name, dataFolder, elsewhere: stores?.media }
  const restored = await restore(input).finally(() => stores?.close())
  const { createdAt, videos, members, missing, lost } = restored
  say(
    `Restored ${countOf(videos, 'video')} and ${countOf(members, 'member')} to ${dataFolder}, ` +
      `as of ${createdAt}.`,
  )
  if (restored.media === 'store') sayWhatIsLost(lost, address ?? dataFolder)
  else if (missing.length > 0) {
    say(`Missing already when the backup was made: ${countOf(missing.length, 'file')}.`)
  }
  if (restored.usesStore) {
    say(`Nothing is deleted in ${address} for now, as it may have more than this backup knows of.`)
    say('If this site is to continue, run npm run doctor -- --claim-store.')
  }
  say('All sessions are ended: everybody signs in again. Start the site with npm start.')
  return 0
})

function sayWhatIsLost(lost: string[], address: string): void {
  if (lost.length === 0) {
    say(`The media that its rows speak of are all in ${address}.`)
    return
  }
  say(`${countOf(lost.length, 'file')} that its rows speak of are not in ${address}:`)
  for (const path of lost.slice(0, LISTED)) say(`missing: media/${path}`)
  if (lost.length > LISTED) say(`And ${lost.length - LISTED} more; npm run doctor names them.`)
  say('Their videos say that the file is missing.')
}

async function restore(input: {
  word: string
  name: string | undefined
  dataFolder: string
  elsewhere: MediaStore | undefined
}) {
  const { word, name, dataFolder, elsewhere } = input
  const isStorage = word.startsWith('s3://')
  const target = isStorage ? word : resolve(word)
  if (isStorage || (await isPlace(target))) {
    const { offsite } = readConfig({ ...childEnvironment({}), BACKUP_TARGET: target })
    if (offsite) return restoreSnapshot({ dataFolder, offsite, name, elsewhere })
  }
  if (name !== undefined) throw new CommandError(USAGE, EXIT_WRONG_CALL)
  return restoreBackup({ dataFolder, folder: target, elsewhere })
}

async function isPlace(folder: string): Promise<boolean> {
  return (await lstat(join(folder, 'snapshots')).catch(() => undefined)) !== undefined
}
