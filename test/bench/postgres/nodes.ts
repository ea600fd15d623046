import { type Benchmark, type Measurement, takeTurns } from '../benchmark.ts'
import { atLeastTimes } from '../goal.ts'
import { listQuestions, listVideoIds } from '../growth.ts'
import { type Asked, putLoad } from '../request-load.ts'
import type { ServerChild } from '../server-child.ts'
import { openQuota } from '../workers/processor-quota.ts'
import { openPostgresScene, type PostgresScene } from './scene.ts'
import { measureWrites } from './writes.ts'

/** Of one core, for each node: two of them, the database and this program fit on two cores. */
const CORES = 0.2
const QUESTIONS = ['home list, signed in', 'one video, signed in', 'comments'] as const

/** What two nodes answer beside one, none of it from memory, each held to the same share of a core. */
export const nodes: Benchmark = {
  name: 'nodes',
  title: `Requests of members to two nodes beside one, ${CORES * 100} % of a core each`,
  long: true,
  async run(input) {
    const { videos, seconds } = input
    const scene = await openPostgresScene(input)
    const quotas: Awaited<ReturnType<typeof openQuota>>[] = []
    try {
      const { url, dataFolder } = await scene.moveSite(videos)
      const both = [await scene.startNode(url), await scene.startNode(url)]
      const [first] = both as [ServerChild, ServerChild]
      const asked = await listQuestions(first, { dataFolder, videos })
      for (const node of both) for (const one of Object.values(asked)) await ask(node, one, 1)
      const videoIds = await listVideoIds(dataFolder, 1)
      const writes = await measureWrites(input, { scene, node: first, dataFolder, videoIds })
      for (const [index, node] of both.entries()) {
        const quota = await openQuota(`node-${index}`, CORES)
        await quota.add(node.pid)
        quotas.push(quota)
      }
      const found: Measurement[] = []
      for (const question of QUESTIONS) {
        const one = asked[question]
        const rates = await takeTurns(
          {
            one: () => askAll(scene, [first], one, seconds * 5),
            two: () => askAll(scene, both, one, seconds * 5),
          },
          (rate) => rate.perSecond,
        )
        found.push({
          ...{ row: 'nodes', what: question, unit: 'req/s', ours: rates.two.perSecond },
          ...{ floorName: 'one node', floor: rates.one.perSecond, goal: atLeastTimes(1.8) },
          remark: `${rates.two.nodeMicros} µs of a node's processor and ${rates.two.databaseMicros} µs of the database's for each`,
        })
      }
      return [...found, ...writes]
    } finally {
      await scene.stop()
      await Promise.all(quotas.map((quota) => quota.remove()))
    }
  },
}

const ask = (node: ServerChild, asked: Asked, seconds: number) =>
  putLoad(node, { ...asked, seconds })

async function askAll(scene: PostgresScene, all: ServerChild[], asked: Asked, seconds: number) {
  const before = await scene.cpuSeconds()
  const loads = await Promise.all(all.map((node) => ask(node, asked, seconds)))
  const used = (await scene.cpuSeconds()) - before
  const perSecond = loads.reduce((sum, load) => sum + load.perSecond, 0)
  const nodeMicros = loads.reduce((sum, load) => sum + (load.cpuMicros ?? 0), 0) / loads.length
  return {
    perSecond,
    nodeMicros: Math.round(nodeMicros),
    databaseMicros: Math.round((used * 1e6) / (perSecond * seconds)),
  }
}
