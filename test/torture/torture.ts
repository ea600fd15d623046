/**
 * `npm run torture [-- --only NAME…] [--case TEXT] [--seed N] [--rounds N]`: tries hard to break the site, part by
 * part. It prints a table, writes the same to test/artifacts/torture.json and ends with 1 when
 * anything broke. Only loopback is used.
 */
import { glob, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { PartReport, TorturePart } from './part.ts'
import { formatReport } from './report-table.ts'
import { runPart } from './run-part.ts'

const PARTS = join(import.meta.dirname, 'parts')
const ARTIFACTS = join(import.meta.dirname, '..', 'artifacts')
const DEFAULT_SEED = '1'

type ListedPart = TorturePart & { file: string }

const values = readOptions()
const parts = await loadParts()
if (values.help) {
  say(parts.map(({ name, description }) => `${name.padEnd(20)}  ${description}`).join('\n'))
  process.exit(0)
}
const seed = wholeNumber('--seed', values.seed)
const rounds = values.rounds === undefined ? undefined : wholeNumber('--rounds', values.rounds)
const reports: PartReport[] = []
// So that what a part has started ends with the run.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
for (const part of chooseParts(values.only)) reports.push(await tryPart(part))

const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, Node ${process.version}`
say(`\n${machine}, seed ${seed}\n\n${formatReport(reports)}`)
await mkdir(ARTIFACTS, { recursive: true })
const report = { measuredAt: new Date().toISOString(), machine, seed, rounds, parts: reports }
await writeFile(join(ARTIFACTS, 'torture.json'), `${JSON.stringify(report, null, 2)}\n`)
process.exit(reports.some(({ failures }) => failures.length > 0) ? 1 : 0)

async function tryPart({ file, ...part }: ListedPart): Promise<PartReport> {
  const began = performance.now()
  const log = (line: string) => process.stderr.write(`${part.name}: ${line}\n`)
  log(part.description)
  const folder = await mkdtemp(join(tmpdir(), `clutch-torture-${part.name}-`))
  const { deadlineMinutes } = part
  const result = await runPart(file, {
    input: { seed, rounds, folder, only: values.case },
    deadlineMinutes,
  })
  await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch((error: Error) => {
    result.failures.push(`What it left could not be removed: ${error.message}`)
  })
  for (const failure of result.failures) log(`failed: ${failure}`)
  return { name: part.name, seconds: Math.round((performance.now() - began) / 1000), ...result }
}

async function loadParts(): Promise<ListedPart[]> {
  const names = await Array.fromAsync(glob('*.ts', { cwd: PARTS }))
  return Promise.all(
    names.sort().map(async (name) => {
      const file = join(PARTS, name)
      const { part } = (await import(file)) as { part: TorturePart }
      return { ...part, file }
    }),
  )
}

function chooseParts(names: string[] | undefined): ListedPart[] {
  if (!names) return parts
  return names.map((name) => {
    const found = parts.find((part) => part.name === name)
    if (found) return found
    const known = parts.map((part) => part.name).join(', ')
    return stop(`There is no part '${name}'. There are: ${known}.`)
  })
}

function readOptions() {
  try {
    return parseArgs({
      options: {
        only: { type: 'string', multiple: true },
        case: { type: 'string' },
        seed: { type: 'string', default: DEFAULT_SEED },
        rounds: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    return stop((error as Error).message)
  }
}

function wholeNumber(option: string, value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  return stop(`${option} must be a whole number above 0, but is '${value}'.`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

function stop(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(2)
}
