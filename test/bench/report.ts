import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Measurement } from './benchmark.ts'
import { formatGoal, judge } from './goal.ts'
import { GOAL_TABLE } from './goal-table.ts'
import { formatMarkdown, ratioOf, toLines } from './result-table.ts'

const DOCUMENT = join(import.meta.dirname, '..', '..', 'docs', 'benchmarks.md')
const [BEGIN, END] = ['<!-- the last run, written by --write -->', '<!-- end of the last run -->']

/** One run of `npm run bench`. */
export type Run = {
  measuredAt: string
  machine: string
  commit: string | undefined
  /** The command that repeats it. */
  command: string
  tookSeconds: number
  /** What failed, by its name, with the reason. */
  failures: Record<string, string>
  measurements: Measurement[]
}

/** Writes a run as JSON: the rows of the goal table in order, then what has no goal. */
export async function writeJson(path: string, run: Run): Promise<void> {
  const { measurements, ...about } = run
  const rows = GOAL_TABLE.map(({ name, title }) => ({
    name,
    title,
    figures: measurements.filter(({ row }) => row === name).map(toFigure),
  }))
  const others = measurements.filter(({ row }) => row === undefined).map(toFigure)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${JSON.stringify({ ...about, rows, others }, null, 2)}\n`)
}

/** JSON knows no NaN: a figure that the machine does not report is null. */
function toFigure({ row: _, goal, ...measurement }: Measurement) {
  const { unit } = measurement
  return {
    ...measurement,
    ratio: ratioOf(measurement) ?? null,
    goal: goal ? formatGoal(goal, unit) : null,
    verdict: goal ? judge({ ...measurement, goal }) : null,
  }
}

/**
 * Puts a run into the place that docs/benchmarks.md has for it.
 * @throws Error when the document has none
 */
export async function writeDocument(run: Run): Promise<void> {
  const text = await readFile(DOCUMENT, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin < 0 || end < begin)
    throw new Error(`docs/benchmarks.md has no place for the run: ${BEGIN}`)
  const { measuredAt, machine, commit, command, tookSeconds, failures, measurements } = run
  const about = [
    `Measured on ${measuredAt.slice(0, 10)} at ${measuredAt.slice(11, 16)} UTC`,
    commit && `at commit ${commit}`,
    `by \`${command}\` in ${Math.round(tookSeconds)} s`,
  ]
  const failed = Object.entries(failures).map(
    ([name, reason]) => `\n\`${name}\` failed: ${reason}\n`,
  )
  const table = formatMarkdown(toLines({ measurements, all: true }))
  const place = `${about.filter(Boolean).join(', ')}.\n\n${machine}.\n${failed.join('')}\n${table}\n`
  await writeFile(DOCUMENT, `${text.slice(0, begin)}${BEGIN}\n${place}${text.slice(end)}`)
}
