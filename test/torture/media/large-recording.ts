import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ClipOptions, makeClip } from '#test/support/clips.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { writeRows } from '#test/support/site-rows.ts'
import type { TortureResult } from '../part.ts'
import { sendVideo, type Uploader } from '../send-video.ts'
import { waitForJobs } from './after-files.ts'
import { CHILD_MAX_BYTES, watchMediaChildren } from './media-children.ts'
import { addUploaders } from './try-files.ts'

const MIB = 1024 ** 2
/** The heaviest that people record; what is held back is full within a second. */
const RECORDING: Omit<ClipOptions, 'path'> = {
  ...{ container: 'matroska', width: 3840, height: 2160, frameRate: 60, seconds: 1 },
  ...{ videoCodec: 'hevc', pixelFormat: 'yuv420p10le', dynamicRange: 'pq', audioCodec: 'opus' },
}
/** The usual ones, and its own. */
const HEIGHTS = [2160, 1080, 720, 480]

/** Makes every rendition of a recording in 4K, and looks how much memory that takes. */
export async function tryLargeRecording(folder: string): Promise<TortureResult> {
  const path = await makeClip({ path: join(folder, 'large.mkv'), ...RECORDING })
  const env = { RATE_LIMIT_SCALE: '1000', RENDITIONS: HEIGHTS.join(), LOG_LEVEL: 'error' }
  const server = await startServer({ dataFolder: join(folder, 'large'), env })
  try {
    const [uploader] = (await addUploaders(server, 1)) as [Uploader]
    const children = watchMediaChildren(server.pid)
    const sent = await sendVideo(uploader, { name: 'large.mkv', bytes: await readFile(path) })
    if (sent.status !== 200) throw new Error(`It was not taken: ${sent.status} ${sent.text}`)
    await waitForJobs(server)
    const { peakBytes } = await children.stop()
    const made = await listRenditions(server)
    const missing = HEIGHTS.filter((height) => !made.includes(`${height}p.mp4`))
    return {
      figures: [
        { what: 'renditions of 4K60 in HDR', value: made.length, limit: `${HEIGHTS.length}` },
        {
          what: 'memory of a process for it at most, MiB',
          value: Math.round(peakBytes / MIB),
          limit: `${CHILD_MAX_BYTES / MIB}`,
        },
      ],
      failures: [
        ...missing.map((height) => `The large recording has no ${height}p.`),
        ...(peakBytes > CHILD_MAX_BYTES ? ['4K took more memory than a child may.'] : []),
      ],
    }
  } finally {
    await server.stop('SIGKILL')
  }
}

async function listRenditions(server: ServerProcess): Promise<string[]> {
  const rows = await writeRows(server, (db) =>
    db.selectFrom('mediaFiles').select('name').where('kind', '=', 'rendition').execute(),
  )
  return rows.map(({ name }) => name.replace(/-\w+(?=\.mp4$)/, ''))
}
