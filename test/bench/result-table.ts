import type { Measurement } from './benchmark.ts'

const HEAD = ['', 'ours', 'floor', 'ratio', 'floor is', '']
const NUMBERS = new Set([1, 2, 3])

/** The measurements as lines of text; the ratio is ours divided by the floor. */
export function formatTable(measurements: Measurement[]): string {
  const rows = [HEAD, ...measurements.map(toCells)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return NUMBERS.has(column) ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd(),
  )
  const [head, ...body] = lines
  return [head, '-'.repeat(Math.max(...lines.map((line) => line.length))), ...body].join('\n')
}

function toCells({ what, unit, ours, floor, floorName, remark }: Measurement): string[] {
  return [
    what,
    formatFigure(ours, unit),
    floor === null ? '' : formatFigure(floor, unit),
    floor === null || Number.isNaN(ours) ? '' : formatRatio(ours / floor),
    floorName ?? '',
    remark ?? '',
  ]
}

function formatFigure(figure: number, unit: Measurement['unit']): string {
  if (Number.isNaN(figure)) return 'unknown'
  return `${unit === 's' ? figure.toFixed(2) : Math.round(figure)} ${unit}`
}

function formatRatio(ratio: number): string {
  return ratio < 10 ? ratio.toFixed(2) : ratio.toFixed(0)
}
