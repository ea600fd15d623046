import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeClip } from '#test/support/clips.ts'
import { type ServerProcess, startServer } from '#test/support/server-process.ts'
import { writeRows } from '#test/support/site-rows.ts'
import { until } from '#test/support/until.ts'
import { checkSiteWhole } from '../check-site.ts'
import { restorePeople } from '../fuzz/people.ts'
import { type FuzzOutcome, runFuzz } from '../fuzz/run-fuzz.ts'
import { INSPECTED, readSettledMemory } from '../inspected-process.ts'
import type { Figure, TortureInput, TorturePart, TortureResult } from '../part.ts'
import { sendVideo } from '../send-video.ts'

const REQUESTS = 100_000
/** Sent first, so that what a server keeps for good is there when its memory is first looked at. */
const WARM_UP_REQUESTS = 5_000
const MIB = 1024 * 1024
const HEAP_MARGIN_BYTES = 16 * MIB
const RESIDENT_MARGIN_BYTES = 96 * MIB
/** Far above what is tried: the limits are tried elsewhere, and here they would hide the rest. */
const ENVIRONMENT = { RATE_LIMIT_SCALE: '1000000', RENDITIONS: '240', ...INSPECTED }

export const part: TorturePart = {
  name: 'fuzz',
  description: `${REQUESTS} seeded requests that nobody planned for, over REST and tRPC`,
  run: tryFuzz,
}

async function tryFuzz({ seed, rounds, folder, log }: TortureInput): Promise<TortureResult> {
  const dataFolder = join(folder, 'data')
  const server = await startServer({ dataFolder, env: ENVIRONMENT })
  try {
    await addPlayableVideo(server, folder)
    await runFuzz(server, { seed: seed + 1_000_000, requests: WARM_UP_REQUESTS })
    const before = await readSettledMemory(server)
    const outcome = await runFuzz(server, { seed, requests: rounds ?? REQUESTS, log })
    const after = await readSettledMemory(server)
    const failures = [...listFaults(outcome), ...listLogged(server)]
    const heapGrowth = after.heapBytes - before.heapBytes
    const residentGrowth = after.residentBytes - before.residentBytes
    if (heapGrowth > HEAP_MARGIN_BYTES) failures.push('The heap did not go back to where it was.')
    if (residentGrowth > RESIDENT_MARGIN_BYTES) {
      failures.push('The memory did not go back to where it was.')
    }
    failures.push(...(await checkSiteWhole(dataFolder)))
    const figures: Figure[] = [
      ...describeOutcome(outcome),
      {
        what: 'heap afterwards, MiB',
        value: toMib(after.heapBytes),
        limit: `${toMib(before.heapBytes)} before + ${HEAP_MARGIN_BYTES / MIB}`,
      },
      {
        what: 'memory afterwards, MiB',
        value: toMib(after.residentBytes),
        limit: `${toMib(before.residentBytes)} before + ${RESIDENT_MARGIN_BYTES / MIB}`,
      },
    ]
    return { figures, failures }
  } finally {
    await server.stop('SIGKILL')
  }
}

/** One video with real files, so that ranges, playlists and pictures are there to be asked for. */
async function addPlayableVideo(server: ServerProcess, folder: string): Promise<void> {
  const people = await writeRows(server, (db) => restorePeople(db, server.dataFolder))
  const headers = Object.fromEntries(people.member)
  const path = await makeClip({ path: join(folder, 'clip.mp4') })
  const uploader = { origin: server.origin, headers }
  const { status, text } = await sendVideo(uploader, {
    name: 'clip.mp4',
    bytes: await readFile(path),
  })
  if (status !== 200) throw new Error(`The clip was not taken: ${status} ${text}`)
  const { videoId } = JSON.parse(text) as { videoId: number }
  await until(async () => {
    const video = await fetch(`${server.origin}/api/videos/${videoId}`, { headers })
    return ((await video.json()) as { hlsUrl: string | null }).hlsUrl !== null
  })
}

function listFaults({ faults }: FuzzOutcome): string[] {
  return [...faults].map(([what, { count, example }]) => `${what}, ${count} times: ${example}`)
}

/** The server writes down what it answers with a 500, and what it did not expect. */
function listLogged({ output }: ServerProcess): string[] {
  return output
    .join('')
    .split('\n')
    .filter((line) => /"level":[56]0/.test(line))
    .slice(0, 20)
    .map((line) => `The server logged: ${line.slice(0, 600)}`)
}

function describeOutcome({ sent, seconds, calls, statuses, planned }: FuzzOutcome): Figure[] {
  const sorted = [...statuses].sort(([a], [b]) => a - b)
  return [
    { what: 'requests', value: sent },
    { what: 'different calls', value: calls.size },
    { what: 'requests a second', value: Math.round(sent / seconds) },
    ...sorted.map(([status, count]) => ({
      what: status === 0 ? 'broken off by the client' : `answered ${status}`,
      value: count,
    })),
    ...[...planned].map(([what, count]) => ({ what: `planned: ${what}`, value: count })),
  ]
}

const toMib = (bytes: number) => Math.round(bytes / MIB)
