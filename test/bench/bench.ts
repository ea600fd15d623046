/**
 * `npm run bench [-- --only NAME…] [--videos N] [--seconds N] [--json FILE]`: measures the site beside
 * the least that such work costs on the same machine, in the same run. Only loopback is used.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Benchmark, Measurement } from './benchmark.ts'
import { comments } from './comments.ts'
import { firstRendition } from './first-rendition.ts'
import { homeList } from './home-list.ts'
import { ladder } from './ladder.ts'
import { mediaRanges } from './media-ranges.ts'
import { oneVideo } from './one-video.ts'
import { playable } from './playable.ts'
import { remux } from './remux.ts'
import { formatTable } from './result-table.ts'
import { search } from './search.ts'
import { seek } from './seek.ts'
import { startOfPlayback } from './start-of-playback.ts'
import { startUp } from './start-up.ts'
import { upload } from './upload.ts'

const BENCHMARKS: Benchmark[] = [
  homeList,
  oneVideo,
  comments,
  search,
  mediaRanges,
  upload,
  remux,
  playable,
  firstRendition,
  ladder,
  startOfPlayback,
  seek,
  startUp,
]

const values = readOptions()
const chosen = chooseBenchmarks(values.only)
const sizes = {
  videos: positive('--videos', values.videos),
  seconds: positive('--seconds', values.seconds),
}
const note = (line: string) => process.stderr.write(`${line}\n`)
const began = performance.now()
const measurements: Measurement[] = []
for (const benchmark of chosen) {
  note(`${benchmark.title} …`)
  try {
    const found = await inWorkFolder((workFolder) => benchmark.run({ ...sizes, workFolder, note }))
    if (found.length === 0) note('  left out: this version does not have it')
    measurements.push(...found)
  } catch (error) {
    note(`  failed: ${(error as Error).message}`)
    process.exitCode = 1
  }
}
const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.version}`
process.stdout.write(`\n${machine}\n\n${formatTable(measurements)}\n`)
note(`${Math.round((performance.now() - began) / 1000)} s`)
if (values.json) {
  const report = { measuredAt: new Date().toISOString(), machine, ...sizes, measurements }
  await writeFile(values.json, `${JSON.stringify(report, null, 2)}\n`)
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        videos: { type: 'string', default: '100000' },
        seconds: { type: 'string', default: '3' },
        json: { type: 'string' },
      },
    }).values
  } catch (error) {
    return stop((error as Error).message)
  }
}

async function inWorkFolder(
  work: (folder: string) => Promise<Measurement[]>,
): Promise<Measurement[]> {
  const folder = await mkdtemp(join(tmpdir(), 'clutch-bench-work-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function chooseBenchmarks(names: string[] | undefined): Benchmark[] {
  if (!names) return BENCHMARKS
  return names.map((name) => {
    const found = BENCHMARKS.find((benchmark) => benchmark.name === name)
    if (found) return found
    const known = BENCHMARKS.map((benchmark) => benchmark.name).join(', ')
    return stop(`There is no benchmark '${name}'. There are: ${known}.`)
  })
}

function positive(option: string, value: string): number {
  if (/^[1-9]\d{0,6}$/.test(value)) return Number(value)
  return stop(`${option} must be a whole number above 0, but is '${value}'.`)
}

function stop(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(2)
}
