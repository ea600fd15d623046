import { join } from 'node:path'
import { startPostgres } from '#test/support/postgres-server.ts'
import type { TorturePart } from '../part.ts'
import { killInCluster } from '../support/cluster-kills.ts'
import { GOES_ON_SECONDS_MAX } from '../support/job-watch.ts'
import { makeMaterial } from '../support/kill-site.ts'
import { startS3rver } from '../support/s3rver-process.ts'

const KILLS = 50
/** Long enough that most kills meet a job. */
const RECORDING = { width: 640, height: 360, seconds: 8, frameRate: 30 }

export const part: TorturePart = {
  name: 'cluster',
  description:
    'SIGKILL of nodes, workers, PostgreSQL and the store, behind a proxy, under load and bans',
  async run({ folder, rounds = KILLS, seed, log }) {
    const material = await makeMaterial(join(folder, 'material'), RECORDING)
    const store = await startS3rver(join(folder, 'store'))
    // What was committed has to outlive the process that is killed.
    const database = await startPostgres({ synchronous_commit: 'on' })
    const input = { database, store, folder, material, seed, kills: rounds, log }
    const result = await killInCluster(input)
    await store.stop()
    await database.stop()
    const { kills, otherNode, afterDatabase, longestPause, unserved, failures } = result
    const limit = `at most ${GOES_ON_SECONDS_MAX}`
    return {
      figures: [
        { what: 'kills of nodes', value: kills.node },
        { what: 'kills of workers', value: kills.worker },
        { what: 'kills of PostgreSQL', value: kills.database },
        { what: 'kills of the store', value: kills.store },
        { what: 'acts of members', value: result.acts },
        { what: 'requests told to come again, with a sentence', value: result.refusals },
        {
          what: 'requests of a member just banned, refused by the nodes',
          value: result.refusedBanned,
        },
        { what: 'videos, each plays with its ladder', value: result.videos },
        { what: 'acknowledged writes checked after each kill', value: result.acknowledged },
        {
          what: "the other node's p99 while one was away, ms",
          value: percentile(otherNode, 0.99),
          limit: 'at most 250',
        },
        {
          what: 'longest until both nodes answered after PostgreSQL was back, ms',
          value: Math.max(0, ...afterDatabase),
          limit: 'at most 5000',
        },
        { what: 'longest until a job went on, s', value: longestPause, limit },
        { what: 'longest in which jobs waited, s', value: unserved, limit },
      ],
      failures,
    }
  },
}

function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor((sorted.length - 1) * part)] ?? 0
}
