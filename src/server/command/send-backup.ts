/**
 * Sends missing parts to BACKUP_TARGET, encrypted if BACKUP_AGE_RECIPIENT is set. `--keep N` keeps
 * the N newest there.
 */
import { resolve } from 'node:path'
import { countOf, formatBytes } from '#shared/text/format.ts'
import { sendSnapshot } from '../desk/backup/offsite/snapshots.ts'
import { readConfig } from '../platform/config.ts'
import { CommandError } from '../platform/errors.ts'
import { EXIT_WRONG_CALL, readArguments, runCommand, say } from './command-line.ts'

const USAGE = 'Say which backup to send: npm run send-backup -- DIR [--keep N]'
const KEPT = 30

await runCommand(async () => {
  const { values, positionals } = readArguments({ keep: { type: 'string' } } as const, USAGE)
  const [word, ...others] = positionals
  const keep = Number(values.keep ?? KEPT)
  if (!word || others.length > 0 || !Number.isInteger(keep) || keep < 1) {
    throw new CommandError(USAGE, EXIT_WRONG_CALL)
  }
  const { offsite } = readConfig()
  if (!offsite) throw new CommandError('BACKUP_TARGET is not set: there is no place to send it to.')
  const { files, bytes, store } = await sendSnapshot(offsite, { folder: resolve(word), keep })
  const sent = `${countOf(files, 'file')} of ${formatBytes(bytes)}`
  say(
    offsite.recipient
      ? `Sent ${sent} to ${offsite.target}, encrypted. What was there already did not travel again.`
      : `Sent ${sent} to ${offsite.target}. What was there already did not travel again.`,
  )
  if (store)
    say(`The backup lists the media of ${store}, but does not hold them: nor does its copy.`)
  return 0
})
