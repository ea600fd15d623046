import type { PartReport } from './part.ts'

const HEAD = ['part', 'what', 'result', 'limit']
const RESULT = 2

/** What the parts found as lines of text, and below them what failed. */
export function formatReport(reports: PartReport[]): string {
  const rows = [HEAD, ...reports.flatMap(toRows)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === RESULT ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
  const [head, ...body] = lines
  const rule = '-'.repeat(Math.max(...lines.map((line) => line.length)))
  const failures = reports.flatMap((one) => one.failures.map((text) => `${one.name}: ${text}`))
  const verdict = failures.length === 0 ? 'Nothing broke.' : failures.join('\n')
  return [head, rule, ...body, '', verdict].join('\n')
}

function toRows({ name, figures, failures, skipped, seconds }: PartReport): string[][] {
  const first = skipped
    ? [name, skipped, 'left out', '']
    : [name, `tried for ${seconds} s`, failures.length === 0 ? 'held' : 'BROKE', '']
  return [
    first,
    ...figures.map(({ what, value, limit }) => ['', what, formatValue(value), limit ?? '']),
  ]
}

function formatValue(value: number | string): string {
  if (typeof value === 'string') return value
  return Number.isInteger(value) ? String(value) : value.toFixed(2)
}
