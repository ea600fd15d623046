/** The newest backup, of BACKUP_TARGET if set; also beside a running site. */
import { countOf, formatBytes } from '#shared/text/format.ts'
import { proveRestore } from '../desk/backup/restore-drill.ts'
import { CommandError } from '../platform/errors.ts'
import { mediaAddress, openMediaForCommand } from '../platform/files/open-media-store.ts'
import { EXIT_WRONG_CALL, readArguments, requireFileSite, runCommand, say } from './command-line.ts'

const USAGE = 'Usage: npm run restore-drill'

await runCommand(async () => {
  const { values, positionals } = readArguments({ json: { type: 'boolean' } } as const, USAGE)
  if (positionals.length > 0) throw new CommandError(USAGE, EXIT_WRONG_CALL)
  const config = requireFileSite()
  const { dataFolder, offsite } = config
  const stores = mediaAddress(config.media) ? await openMediaForCommand(config) : undefined
  const proof = await proveRestore({ dataFolder, offsite, elsewhere: stores?.media }).finally(() =>
    stores?.close(),
  )
  if (values.json) say(JSON.stringify(proof))
  else {
    const { name, videos, files, bytes } = proof
    say(
      `Backup ${name} can be restored: the rows of ${countOf(videos, 'video')} and ` +
        `${countOf(files, 'file')} of ${formatBytes(bytes)} agree.`,
    )
  }
  return 0
})
