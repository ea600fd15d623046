import type { Benchmark } from '../benchmark.ts'
import { measureReads } from '../member-reads.ts'
import { openPostgresScene } from './scene.ts'

export const postgresMemberReads: Benchmark = {
  name: 'postgres-member-reads',
  title: 'Reads of a member on PostgreSQL, alone and ten at once',
  long: true,
  async run(input) {
    const scene = await openPostgresScene(input)
    try {
      const { url, dataFolder } = await scene.moveSite(input.videos)
      const site = await scene.startNode(url)
      const goal = { row: 'postgres-member-reads', p99Goal: 60 } as const
      return await measureReads(input, { site, dataFolder, ...goal })
    } finally {
      await scene.stop()
    }
  },
}
