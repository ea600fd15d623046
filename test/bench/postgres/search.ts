import type { Benchmark } from '../benchmark.ts'
import { compareSearches } from '../search.ts'
import { openPostgresScene } from './scene.ts'

export const postgresSearch: Benchmark = {
  name: 'postgres-search',
  title: 'Search on PostgreSQL, as a visitor',
  long: true,
  async run(input) {
    const scene = await openPostgresScene(input)
    try {
      const { url } = await scene.moveSite(input.videos)
      const start = () => scene.startNode(url)
      return await compareSearches({ ...input, start }, { row: 'postgres-search', p99Goal: 60 })
    } finally {
      await scene.stop()
    }
  },
}
