import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Measurement } from './benchmark.ts'
import { formatGoal, judge } from './goal.ts'
import { GOAL_TABLE } from './goal-table.ts'
import { formatMarkdown, type Line, ratioOf } from './result-table.ts'

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

/** Writes a run as Markdown: machine, commit and command, then the table. */
export async function writeTable(path: string, run: Run, lines: Line[]): Promise<void> {
  const { measuredAt, machine, commit, command, tookSeconds, failures } = run
  const about = [
    `Measured on ${measuredAt.slice(0, 10)} at ${measuredAt.slice(11, 16)} UTC`,
    commit && `at commit ${commit}`,
    `by \`${command}\` in ${Math.round(tookSeconds)} s`,
  ]
  const failed = Object.entries(failures).map(
    ([name, reason]) => `\n\`${name}\` failed: ${reason}\n`,
  )
  const head = `${about.filter(Boolean).join(', ')}.\n\n${machine}.\n${failed.join('')}`
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${head}\n${formatMarkdown(lines)}\n`)
}
