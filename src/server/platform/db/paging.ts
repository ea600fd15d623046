import type { Page } from '#shared/field.schemas.ts'
import { AppError } from '../errors.ts'

export const invalidCursor = () => new AppError('invalid', 'The cursor is not one this site gave.')

/** Position of the last row, newest first. */
export type Position = { time: string; id: number }

export function encodeCursor(position: Position): string {
  return Buffer.from(`${position.time} ${position.id}`).toString('base64url')
}

/** @throws `invalid` for text not from `encodeCursor` */
export function decodeCursor(cursor: string): Position {
  const [time, id] = Buffer.from(cursor, 'base64url').toString().split(' ')
  const known =
    time !== undefined &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(time) &&
    !Number.isNaN(Date.parse(time)) &&
    /^[1-9]\d{0,15}$/.test(id ?? '')
  if (!known || encodeCursor({ time, id: Number(id) }) !== cursor) throw invalidCursor()
  return { time, id: Number(id) }
}

/** Sort, and key and id of the last row. */
type SortPosition = { sort: string; key: string | number; id: number }

export function encodeSortCursor({ sort, key, id }: SortPosition): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString('base64url')
}

/**
 * Integer key.
 * @throws `invalid` for text not from `encodeSortCursor` with this sort
 */
export function decodeSortCursor(cursor: string, sort: string): SortPosition & { key: number } {
  const position = readSortPosition(cursor, sort)
  if (!Number.isSafeInteger(position.key)) throw invalidCursor()
  return { ...position, key: Number(position.key) }
}

export function decodeTextCursor(cursor: string, sort: string): SortPosition {
  const position = readSortPosition(cursor, sort)
  if (typeof position.key !== 'string') throw invalidCursor()
  return position
}

function readSortPosition(cursor: string, sort: string): SortPosition {
  const position = parseSortPosition(cursor)
  if (position?.sort !== sort || encodeSortCursor(position) !== cursor) throw invalidCursor()
  return position
}

function parseSortPosition(cursor: string): SortPosition | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (!Array.isArray(read) || read.length !== 3) return undefined
    const [sort, key, id] = read
    const known = ['string', 'number'].includes(typeof key) && Number.isSafeInteger(id)
    return known ? { sort, key, id } : undefined
  } catch {
    return undefined
  }
}

export function toSortedPage<Row, Item>(
  rows: Row[],
  limit: number,
  options: { position: (row: Row) => SortPosition; item: (row: Row) => Item },
): Page<Item> {
  const { shown, nextCursor } = cutPage(rows, limit, (row) =>
    encodeSortCursor(options.position(row)),
  )
  return { items: shown.map(options.item), nextCursor }
}

/** @param rows `limit + 1` when there is a next page */
export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  options: { position: (row: Row) => Position; item: (row: Row) => Item },
): Page<Item> {
  const { shown, nextCursor } = cutPage(rows, limit, (row) => encodeCursor(options.position(row)))
  return { items: shown.map(options.item), nextCursor }
}

/** @param rows `limit + 1` when there is a next page */
export function cutPage<Row>(
  rows: Row[],
  limit: number,
  cursorOf: (last: Row) => string,
): { shown: Row[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return { shown, nextCursor: rows.length > limit && last ? cursorOf(last) : null }
}
