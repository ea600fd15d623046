import type { Measurement } from './benchmark.ts'
import { formatGoal, judge } from './goal.ts'
import { GOAL_TABLE } from './goal-table.ts'

const HEAD = ['', 'ours', 'floor', 'ratio', 'goal', '', 'floor is', '']
const NUMBERS = new Set([1, 2, 3])
const VERDICTS = { met: 'met', missed: 'MISSED', unknown: '' }

/** A line of the table: a row of the goals, or a figure below one. */
export type Line = { title: string } | { cells: string[] }

/**
 * All rows of the goal table, each with its figures, then the figures that belong to none.
 * @param input.all whether rows without a figure are listed too
 */
export function toLines(input: { measurements: Measurement[]; all: boolean }): Line[] {
  const { measurements, all } = input
  const lines: Line[] = []
  for (const { name, title, by } of GOAL_TABLE) {
    const own = measurements.filter(({ row }) => row === name)
    if (own.length > 0) lines.push({ title }, ...own.map(toCells))
    else if (all) lines.push({ title }, { cells: ['', '', '', '', '', 'not measured', '', by] })
  }
  const others = measurements.filter(({ row }) => row === undefined)
  if (others.length > 0) lines.push({ title: 'Without a goal' }, ...others.map(toCells))
  return lines
}

/** The lines as a table for a terminal. */
export function formatTable(lines: Line[]): string {
  const rows = [HEAD, ...lines.flatMap((line) => ('cells' in line ? [indent(line.cells)] : []))]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const format = (cells: string[]) =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return NUMBERS.has(column) ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  const rule = '-'.repeat(Math.max(...rows.map((row) => format(row).length)))
  const body = lines.map((line) => ('cells' in line ? format(indent(line.cells)) : line.title))
  return [format(HEAD), rule, ...body].join('\n')
}

/** The lines as a table in Markdown. */
export function formatMarkdown(lines: Line[]): string {
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |')
  const rows = lines.map((line) =>
    row('cells' in line ? line.cells : [`**${line.title}**`, ...HEAD.slice(1).map(() => '')]),
  )
  const rule = HEAD.map((_, column) => (NUMBERS.has(column) ? '---:' : '---'))
  return [row(HEAD), row(rule), ...rows].join('\n')
}

/** Ours divided by the floor; undefined without one, and beside one too small to be distinguished from nothing. */
export function ratioOf({ ours, floor }: Measurement): number | undefined {
  return !floor || Number.isNaN(ours) ? undefined : ours / floor
}

function toCells(measurement: Measurement): Line {
  const { what, unit, ours, floor, floorName, goal, remark } = measurement
  const ratio = ratioOf(measurement)
  return {
    cells: [
      what,
      formatFigure(ours, unit),
      floor === null ? '' : formatFigure(floor, unit),
      ratio === undefined ? '' : formatRatio(ratio),
      goal ? formatGoal(goal, unit) : '',
      VERDICTS[judge(measurement)],
      floorName ?? '',
      remark ?? '',
    ],
  }
}

function indent([what = '', ...cells]: string[]): string[] {
  return [what && `  ${what}`, ...cells]
}

function formatFigure(figure: number, unit: Measurement['unit']): string {
  if (Number.isNaN(figure)) return 'unknown'
  if (unit === 'times') return formatRatio(figure)
  const digits = unit === 's' ? 2 : unit === 'ms' && figure < 10 ? 1 : 0
  return `${figure.toFixed(digits)} ${unit}`
}

function formatRatio(ratio: number): string {
  return ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0)
}
