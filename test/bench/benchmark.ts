import type { Goal, Unit } from './goal.ts'
import type { RowName } from './goal-table.ts'

/** What a benchmark is given: how long and how large, and a folder to use up. */
export type BenchmarkInput = {
  /** Videos of the seeded site. */
  videos: number
  /** A third of the time that a kind of request is made for, in all of its rounds. */
  seconds: number
  /** Empty, on the disk of the temporary folder; removed afterwards. */
  workFolder: string
  /** Environment variables of the site that is measured, where a benchmark gives them on. */
  settings: Record<string, string>
  note: (line: string) => void
}

/** One line of the table: a figure of ours beside its floor, measured in the same run. */
export type Measurement = {
  what: string
  /** The row of the goal table that it belongs to; without one it is listed further down. */
  row?: RowName
  /** What it should be; a row may hold figures without one, that explain the others. */
  goal?: Goal
  unit: Unit
  ours: number
  /** What the floor is; null when the figure stands alone. */
  floorName: string | null
  floor: number | null
  /** Such as a percentile. */
  remark?: string
}

export type Benchmark = {
  /** For `--only`. */
  name: string
  title: string
  /** It takes minutes, or a site of a million videos that takes minutes to seed: only with `--all`. */
  long?: true
  run: (input: BenchmarkInput) => Promise<Measurement[]>
}

const ROUNDS = 3
/** Of loads: a moment in which the machine is busy with something else then spoils one of many. */
export const SHORT_ROUNDS = 5

/** How long each of the short rounds is, so that together they take as long as the usual ones. */
export const shortRoundSeconds = ({ seconds }: Pick<BenchmarkInput, 'seconds'>): number =>
  (seconds * ROUNDS) / SHORT_ROUNDS

/**
 * Measures several subjects in turn, three times each by default, so that a noisy moment meets all of them.
 * @returns the median of each
 */
export async function takeTurns<Name extends string, Sample>(
  measures: Record<Name, () => Promise<Sample>>,
  figure: (sample: Sample) => number,
  rounds = ROUNDS,
): Promise<Record<Name, Sample>> {
  const names = Object.keys(measures) as Name[]
  const samples = new Map<Name, Sample[]>(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of names) samples.get(name)?.push(await measures[name]())
  }
  const medians = names.map((name) => {
    const sorted = (samples.get(name) ?? []).sort((a, b) => figure(a) - figure(b))
    return [name, sorted[Math.floor(sorted.length / 2)]]
  })
  return Object.fromEntries(medians)
}

/** Seconds that `work` takes. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}
