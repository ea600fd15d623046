import { join } from 'node:path'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { checkSiteWhole } from '../check-site.ts'
import { tryLargeRecording } from '../media/large-recording.ts'
import { tryHostileMedia } from '../media/try-media.ts'
import type { TortureInput, TorturePart, TortureResult } from '../part.ts'

export const part: TorturePart = {
  name: 'media',
  description:
    'hostile videos, pictures and captions, and a large recording, through the whole site',
  run: tryMedia,
}

async function tryMedia({ seed, folder, log }: TortureInput): Promise<TortureResult> {
  const env = { RATE_LIMIT_SCALE: '1000', RENDITIONS: '240', LOG_LEVEL: 'error' }
  const server: ServerProcess = await startServer({ dataFolder: join(folder, 'data'), env })
  try {
    const result = await tryHostileMedia(server, { seed, folder, log, isQuick: false })
    result.failures.push(...(await checkSiteWhole(server.dataFolder)))
    log('a large recording')
    const large = await tryLargeRecording(folder)
    return {
      figures: [...result.figures, ...large.figures],
      failures: [...result.failures, ...large.failures],
    }
  } finally {
    await server.stop('SIGKILL')
  }
}
