/**
 * `npm run bench [-- --only NAME…] [--all] [--videos N] [--seconds N] [--setting NAME=VALUE…] [--json FILE]`:
 * measures the site beside the least that such work costs on the same machine, in the same run. Only
 * loopback is used.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Benchmark, Measurement } from './benchmark.ts'
import { BENCHMARKS } from './benchmarks.ts'
import { describeCommit, describeMachine } from './machine.ts'
import { type Run, writeJson, writeTable } from './report.ts'
import { formatTable, toLines } from './result-table.ts'

const JSON_FILE = join(import.meta.dirname, '..', 'artifacts', 'bench.json')

const values = readOptions()
const chosen = chooseBenchmarks(values.only)
const sizes = {
  videos: positive('--videos', values.videos),
  seconds: positive('--seconds', values.seconds),
  settings: readSettings(values.setting),
}
const isWhole = values.only === undefined
const tableFile = values.json.replace(/(\.json)?$/, '.md')
const note = (line: string) => process.stderr.write(`${line}\n`)

const run = await measure()
await writeJson(values.json, run)
const lines = toLines({ measurements: run.measurements, all: isWhole })
await writeTable(tableFile, run, lines)
process.stdout.write(`\n${run.machine}\n\n${formatTable(lines)}\n`)
note(`${Math.round(run.tookSeconds)} s, written to ${values.json} and ${tableFile}`)
if (Object.keys(run.failures).length > 0) process.exitCode = 1

async function measure(): Promise<Run> {
  const began = performance.now()
  const measurements: Measurement[] = []
  const failures: Record<string, string> = {}
  for (const benchmark of chosen) {
    note(`${benchmark.title} …`)
    const from = performance.now()
    try {
      const found = await inWorkFolder((workFolder) =>
        benchmark.run({ ...sizes, workFolder, note }),
      )
      measurements.push(...found)
      note(`  ${benchmark.name}: ${Math.round((performance.now() - from) / 1000)} s`)
    } catch (error) {
      failures[benchmark.name] = (error as Error).message
      note(`  ${benchmark.name} failed: ${(error as Error).message}`)
    }
  }
  return {
    measuredAt: new Date().toISOString(),
    machine: describeMachine(),
    commit: describeCommit(),
    command: ['npm run bench', ...process.argv.slice(2)].join(' ').replace('bench -', 'bench -- -'),
    tookSeconds: (performance.now() - began) / 1000,
    failures,
    measurements,
  }
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        all: { type: 'boolean', default: false },
        videos: { type: 'string', default: '100000' },
        seconds: { type: 'string', default: '1' },
        setting: { type: 'string', multiple: true, default: [] },
        json: { type: 'string', default: JSON_FILE },
      },
    }).values
  } catch (error) {
    return stop((error as Error).message)
  }
}

/** Of the site, such as another store for its media. */
function readSettings(pairs: string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value = ''] = /^([A-Z_0-9]+)=(.*)$/s.exec(pair) ?? []
      return [name ?? stop(`--setting must be NAME=VALUE, but is '${pair}'.`), value]
    }),
  )
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

/** Those of `--only`; else all but those that `--all` adds. */
function chooseBenchmarks(names: string[] | undefined): Benchmark[] {
  if (!names) return BENCHMARKS.filter(({ long }) => values.all || !long)
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
