import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Benchmark, type Measurement, takeTurns } from './benchmark.ts'
import { startNginx } from './nginx.ts'
import { loadRanges } from './range-load.ts'
import { siteOfLargeClip } from './seeded-site.ts'
import { startFloor, startSite } from './server-child.ts'

export const mediaRanges: Benchmark = {
  name: 'media',
  title: 'Random ranges of 1 MiB of a 500 MB video',
  async run(input) {
    const dataFolder = await siteOfLargeClip(input)
    const site = await startSite(dataFolder)
    const answer = await fetch(`${site.origin}/api/videos`)
    const [{ videoUrl }] = (await answer.json()) as [{ videoUrl: string }]
    const path = join(dataFolder, videoUrl)
    const floor = await startFloor('file-server', path)
    const nginx = await startNginx({ folder: dirname(path), workFolder: input.workFolder })
    try {
      const { size: bytes } = await stat(path)
      const file = `/${basename(path)}`
      const measurements: Measurement[] = []
      for (const connections of [1, 10]) {
        const options = { connections, seconds: input.seconds }
        const load = (port: number, address: string) => () =>
          loadRanges({ port, path: address, bytes }, options)
        const rates = await takeTurns<string, number>(
          {
            floor: load(floor.port, file),
            ...(nginx && { nginx: load(nginx.port, file) }),
            ours: load(site.port, videoUrl),
          },
          (rate) => rate,
        )
        const what = `ranges, ${connections} connection${connections === 1 ? '' : 's'}`
        const ours = { what, unit: 'MB/s', ours: rates.ours as number } as const
        measurements.push({ ...ours, floorName: 'bare http server', floor: rates.floor as number })
        if (nginx) measurements.push({ ...ours, floorName: 'nginx', floor: rates.nginx as number })
      }
      return measurements
    } finally {
      await Promise.all([site.stop(), floor.stop(), nginx?.stop()])
    }
  },
}
