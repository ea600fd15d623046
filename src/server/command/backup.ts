/**
 * Also of a running site. DIR appears when complete. Remote media are listed, or fetched with
 * `--with-media`.
 */
import { resolve } from 'node:path'
import { countOf, formatBytes } from '#shared/text/format.ts'
import { heldFiles } from '../desk/backup/backup-manifest.ts'
import { makeBackup } from '../desk/backup/make-backup.ts'
import type { Config } from '../platform/config.ts'
import { CommandError } from '../platform/errors.ts'
import { mediaAddress, openMediaForCommand } from '../platform/files/open-media-store.ts'
import { EXIT_WRONG_CALL, readArguments, requireFileSite, runCommand, say } from './command-line.ts'

const USAGE = 'Say where the backup goes: npm run backup -- DIR [--with-media]'

await runCommand(async () => {
  const options = { 'with-media': { type: 'boolean' } } as const
  const { values, positionals } = readArguments(options, USAGE)
  const [word, ...others] = positionals
  if (!word || others.length > 0) throw new CommandError(USAGE, EXIT_WRONG_CALL)
  const folder = resolve(word)
  const config = requireFileSite()
  const withMedia = values['with-media'] ?? false
  const { manifest, copied } = await make({ config, folder, withMedia })
  const { videos, members, database, missing, store } = manifest
  const files = heldFiles(manifest)
  const held = store
    ? `the list of ${countOf(manifest.files.length, 'media file')}`
    : describe(files)
  say(
    `Backed up ${countOf(videos, 'video')} and ${countOf(members, 'member')} to ${folder}: ` +
      `a database of ${formatBytes(database.bytes)} and ${held}.`,
  )
  if (store) {
    say(
      `The media themselves stay in ${store}; npm run backup -- DIR --with-media fetches them too.`,
    )
  }
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

async function make(input: { config: Config; folder: string; withMedia: boolean }) {
  const { config, folder, withMedia } = input
  const { dataFolder } = config
  const address = mediaAddress(config.media)
  if (address === undefined) return makeBackup({ dataFolder, folder })
  const { media, close } = await openMediaForCommand(config)
  return makeBackup({ dataFolder, folder, elsewhere: { media, address, withMedia } }).finally(close)
}

function describe(files: { bytes: number }[]): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  return `${countOf(files.length, 'media file')} of ${formatBytes(bytes)}`
}
