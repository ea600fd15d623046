import { AppError } from '../../errors.ts'
import type { Row, Table } from './move-ends.ts'

/** JSON that PostgreSQL reads, the same for both engines. */
export function createRowSerializer(table: Table): (rows: Row[]) => string {
  const namesOf = (type: string) =>
    table.columns.filter((column) => column.type === type).map(({ name }) => name)
  const [integers, reals, blobs] = [namesOf('integer'), namesOf('real'), namesOf('blob')]

  function toPlain(row: Row): Row {
    for (const name of integers) requireExact(table, { row, name })
    const endless = reals.filter((name) => row[name] !== null && !Number.isFinite(row[name]))
    const bytes = blobs.filter((name) => row[name] !== null)
    if (endless.length === 0 && bytes.length === 0) return row
    const plain = { ...row }
    for (const name of endless) plain[name] = String(row[name])
    for (const name of bytes) {
      plain[name] = `\\x${Buffer.from(row[name] as Uint8Array).toString('hex')}`
    }
    return plain
  }

  return (rows) => JSON.stringify(rows.map(toPlain))
}

/** Such as `id 5`. */
export function describeKey(table: Table, row: Row): string {
  return table.key.map((name) => `${name} ${row[name]}`).join(', ')
}

/** @throws AppError beyond 2^53, which the site cannot read either */
function requireExact(table: Table, { row, name }: { row: Row; name: string }): void {
  const value = row[name]
  if (value === null || Number.isSafeInteger(value)) return
  throw new AppError(
    'unprocessable',
    `The row of ${table.name} with ${describeKey(table, row)} has a number in ${name} that is too large to be moved.`,
  )
}
