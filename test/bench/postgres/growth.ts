import type { Benchmark } from '../benchmark.ts'
import { compareSizes, listQuestions } from '../growth.ts'
import { openPostgresScene, type PostgresScene } from './scene.ts'

const [SMALL, LARGE] = [1000, 1_000_000]

/** How much longer an answer takes on PostgreSQL on a site a thousand times as large. */
export const postgresGrowth: Benchmark = {
  name: 'postgres-growth',
  title: 'The same questions to 1,000 and to 1,000,000 videos on PostgreSQL',
  long: true,
  async run(input) {
    const scene = await openPostgresScene(input)
    try {
      const sites = { small: await open(scene, SMALL), large: await open(scene, LARGE) }
      return await compareSizes(input, sites, { row: 'postgres-growth', limit: 1.3 })
    } finally {
      await scene.stop()
    }
  },
}

async function open(scene: PostgresScene, videos: number) {
  const { url, dataFolder } = await scene.moveSite(videos)
  const server = await scene.startNode(url)
  return { server, asked: await listQuestions(server, { dataFolder, videos }) }
}
