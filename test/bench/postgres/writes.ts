import type { BenchmarkInput, Measurement } from '../benchmark.ts'
import { signIn } from '../member.ts'
import type { ServerChild } from '../server-child.ts'
import type { PostgresScene } from './scene.ts'

const TIMES = 400
const PARALLEL = 4
const MEMBERS = 4

type Write = { what: string; procedure: string; input: (turn: number) => object }

/** What a write costs a node and the database. It is no goal, but what an estimate needs. */
export async function measureWrites(
  { note }: Pick<BenchmarkInput, 'note'>,
  input: { scene: PostgresScene; node: ServerChild; dataFolder: string; videoIds: number[] },
): Promise<Measurement[]> {
  const { scene, node, dataFolder, videoIds } = input
  const cookies: string[] = []
  for (let member = 0; member < MEMBERS; member++) {
    cookies.push(await signIn(node.origin, dataFolder, 2 + member))
  }
  const videoOf = (turn: number) => videoIds[turn % videoIds.length]
  const writes: Write[] = [
    {
      what: 'a comment is written',
      procedure: 'comment.create',
      input: (turn) => ({ videoId: videoOf(turn), content: `Comment ${turn}` }),
    },
    {
      what: 'a report of watching',
      procedure: 'history.report',
      input: (turn) => ({ videoId: videoOf(turn), watchedSeconds: 20, positionSeconds: 20 }),
    },
  ]
  const found: Measurement[] = []
  for (const { what, procedure, input: bodyOf } of writes) {
    const send = async (turn: number) => {
      const answer = await fetch(`${node.origin}/trpc/${procedure}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: cookies[turn % MEMBERS] ?? '' },
        body: JSON.stringify(bodyOf(turn)),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${procedure} is answered ${answer.status}: ${text}`)
    }
    const [nodeBefore, databaseBefore] = [(await node.cpuSeconds()) ?? 0, await scene.cpuSeconds()]
    const began = performance.now()
    let turn = 0
    const work = async () => {
      while (turn < TIMES) await send(turn++)
    }
    await Promise.all(Array.from({ length: PARALLEL }, work))
    const seconds = (performance.now() - began) / 1000
    const nodeMicros = Math.round(((((await node.cpuSeconds()) ?? 0) - nodeBefore) * 1e6) / TIMES)
    const databaseMicros = Math.round(((await scene.cpuSeconds()) - databaseBefore) * 1e6) / TIMES
    note(`  ${what}: ${nodeMicros} and ${databaseMicros} µs`)
    found.push({
      ...{ row: 'nodes', what, unit: 'req/s', ours: TIMES / seconds, floorName: null, floor: null },
      remark: `${nodeMicros} µs of a node's processor and ${databaseMicros} µs of the database's for each`,
    })
  }
  return found
}
