import { stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  type Benchmark,
  type BenchmarkInput,
  type Measurement,
  SHORT_ROUNDS,
  shortRoundSeconds,
  takeTurns,
} from './benchmark.ts'
import { atLeastTimes, type Goal } from './goal.ts'
import type { RowName } from './goal-table.ts'
import { loadMedia, type MediaLoad } from './media-load.ts'
import { type Nginx, startNginx } from './nginx.ts'
import { siteOfLargeClip } from './seeded-site.ts'
import { type ServerChild, startFloor, startSite } from './server-child.ts'

/** Where nginx is sent to find what it is handed. */
const ACCEL_PREFIX = '/_media'

type Load = Pick<MediaLoad, 'part' | 'connections'>
type Sample = { rate: number; cpuPerGiB: number | undefined }
type Source = { server: Pick<ServerChild, 'port' | 'cpuSeconds'>; path: string }

const LOADS: { what: string; row: RowName; goal: Goal; load: Load }[] = [
  {
    ...{ what: 'whole file, 1 connection', row: 'media-whole', goal: atLeastTimes(0.35) },
    load: { part: 'whole', connections: 1 },
  },
  {
    ...{ what: 'ranges, 50 connections', row: 'media-ranges', goal: atLeastTimes(0.5) },
    load: { part: 'ranges', connections: 50 },
  },
]

export const media: Benchmark = {
  name: 'media',
  title: 'The bytes of a 500 MB video, by the site itself and handed to nginx',
  async run(input) {
    const { dataFolder, videoUrl: url } = await siteOfLargeClip(input)
    const path = join(dataFolder, url)
    const { size: bytes } = await stat(path)
    const site = await startSite(dataFolder)
    const floor = await startFloor('file-server', path)
    const nginx = await startNginx({ folder: dirname(path), workFolder: input.workFolder })
    try {
      const sources = {
        bare: { server: floor, path: '/file' },
        ...(nginx && { nginx: { server: nginx, path: `/${basename(path)}` } }),
        ours: { server: site, path: url },
      }
      const measurements: Measurement[] = []
      for (const { what, row, goal, load } of LOADS) {
        const samples = await measure(sources, { ...load, bytes, seconds: input.seconds })
        const ours = { row, ours: samples.ours as Sample }
        const floor = { floorName: 'nginx with sendfile', floor: samples.nginx }
        measurements.push(toMeasurement({ ...ours, what, ...floor, goal }))
        const bare = { floorName: 'bare http server', floor: samples.bare }
        measurements.push(toMeasurement({ ...ours, what: 'the same', ...bare }))
      }
      await site.stop()
      if (nginx)
        measurements.push(...(await measureHanded(input, { dataFolder, url, bytes, nginx })))
      return measurements
    } finally {
      await Promise.all([site.stop(), floor.stop(), nginx?.stop()])
    }
  },
}

/** The same file and the same nginx, but each request goes by the site. */
async function measureHanded(
  input: BenchmarkInput,
  file: { dataFolder: string; url: string; bytes: number; nginx: Nginx },
): Promise<Measurement[]> {
  const { dataFolder, url, bytes, nginx } = file
  const environment = { X_ACCEL_PREFIX: ACCEL_PREFIX, TRUSTED_PROXY: '127.0.0.1' }
  const site = await startSite(dataFolder, { settings: environment })
  const accel = { at: ACCEL_PREFIX, folder: join(dataFolder, 'media') }
  const proxy = await startNginx({ ...input, folder: dirname(dataFolder), site, accel })
  try {
    if (!proxy) return []
    const sources = {
      nginx: { server: nginx, path: `/${basename(url)}` },
      ours: { server: proxy, path: url },
    }
    const measurements: Measurement[] = []
    for (const { what, load } of LOADS) {
      const samples = await measure(sources, { ...load, bytes, seconds: input.seconds })
      measurements.push(
        toMeasurement({
          ...{ row: 'media-handed', what, goal: atLeastTimes(0.8), ours: samples.ours as Sample },
          ...{ floorName: 'nginx with sendfile', floor: samples.nginx },
        }),
      )
    }
    return measurements
  } finally {
    await Promise.all([site.stop(), proxy?.stop()])
  }
}

function measure(
  sources: Record<string, Source>,
  load: Load & { bytes: number; seconds: number },
): Promise<Record<string, Sample>> {
  const seconds = shortRoundSeconds(load)
  const measures = Object.entries(sources).map(([name, { server, path }]) => [
    name,
    async (): Promise<Sample> => {
      const before = await server.cpuSeconds()
      const { mebibytes, seconds: lasted } = await loadMedia({
        ...load,
        seconds,
        port: server.port,
        path,
      })
      const after = await server.cpuSeconds()
      const cpu = before === undefined || after === undefined ? undefined : after - before
      return { rate: mebibytes / lasted, cpuPerGiB: cpu && (cpu / mebibytes) * 1024 }
    },
  ])
  return takeTurns(Object.fromEntries(measures), ({ rate }: Sample) => rate, SHORT_ROUNDS)
}

function toMeasurement(input: {
  what: string
  row: RowName
  goal?: Goal
  ours: Sample
  floorName: string
  floor: Sample | undefined
}): Measurement {
  const { ours, floor, floorName, ...about } = input
  const cpu = (sample: Sample | undefined) => sample?.cpuPerGiB?.toFixed(2) ?? 'unknown'
  return {
    ...{ ...about, unit: 'MB/s', ours: ours.rate },
    ...{ floorName: floor ? floorName : `${floorName}: not installed`, floor: floor?.rate ?? null },
    remark: `${cpu(ours)} s of CPU a GiB (floor ${cpu(floor)})`,
  }
}
