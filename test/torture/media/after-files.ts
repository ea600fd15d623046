import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ServerProcess } from '#test/support/server-process.ts'
import { writeRows } from '#test/support/site-rows.ts'
import type { Uploader } from '../send-video.ts'
import { type Lures, MARKER } from './hostile-file.ts'

const SETTLE_MS = 900_000

/** Waits until no work on a video is left; whatever was taken is then ready, or failed. */
export async function waitForJobs(server: ServerProcess): Promise<void> {
  const deadline = Date.now() + SETTLE_MS
  for (;;) {
    const left = await writeRows(server, (db) =>
      db.selectFrom('jobs').select('id').where('state', 'in', ['queued', 'running']).execute(),
    )
    if (left.length === 0) return
    if (Date.now() > deadline) throw new Error('The work on hostile files did not end.')
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** @returns what became of the hostile videos that were taken, and which of them failed without a sentence */
export async function describeTaken(server: ServerProcess) {
  const videos = await writeRows(server, (db) =>
    db.selectFrom('videos').select(['title', 'processingState', 'processingError']).execute(),
  )
  const unexplained = videos.filter(
    ({ processingState, processingError }) =>
      processingState === 'processing' || (processingState === 'failed' && !processingError),
  )
  return {
    ready: videos.filter(({ processingState }) => processingState === 'ready').length,
    failed: videos.filter(({ processingState }) => processingState === 'failed').length,
    failures: unexplained.map(
      ({ title, processingState }) => `${title} stayed ${processingState}.`,
    ),
  }
}

/** Fetches everything that is served of videos, captions and pictures, and looks for what must not be there. */
export async function searchServed(
  server: ServerProcess,
  { uploader, lures }: { uploader: Uploader; lures: Lures },
): Promise<{ count: number; failures: string[] }> {
  const addresses = await writeRows(server, async (db) => {
    const files = await db
      .selectFrom('mediaFiles')
      .innerJoin('videos', 'videos.id', 'mediaFiles.videoId')
      .select(['videos.mediaKey', 'mediaFiles.name'])
      .execute()
    const videos = await db.selectFrom('videos').select(['videoUrl', 'thumbnailUrl']).execute()
    const users = await db.selectFrom('users').select(['avatarUrl', 'bannerUrl']).execute()
    const named = [...videos, ...users].flatMap((row) => Object.values(row) as (string | null)[])
    return [...files.map(({ mediaKey, name }) => `/media/${mediaKey}/${name}`), ...named]
  })
  const failures: string[] = []
  let count = 0
  for (const address of new Set(addresses.filter((one) => one !== null))) {
    const answer = await fetch(server.origin + address, { headers: uploader.headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (!answer.ok) continue
    count += 1
    for (const trace of [lures.secret, MARKER, 'root:x:0:0']) {
      if (bytes.includes(trace)) failures.push(`${address} has '${trace}' in it.`)
    }
    if (/html|javascript|svg/.test(answer.headers.get('content-type') ?? '')) {
      failures.push(`${address} is served as ${answer.headers.get('content-type')}.`)
    }
  }
  return { count, failures }
}

/** @returns the folders that uploads left behind */
export function listLeftUploads(server: ServerProcess): Promise<string[]> {
  return readdir(join(server.dataFolder, 'uploads'))
}
