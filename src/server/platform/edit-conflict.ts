import { isDeepStrictEqual } from 'node:util'
import type { FieldConflict } from '#shared/field-conflict.ts'
import { AppError } from './errors.ts'

type Some<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined }

/**
 * Call in the writing transaction, with `now` read there, after access checks: the error contains
 * stored values. Compares the fields of `was`.
 * @throws `conflict` with both values per field
 */
export function requireUnchanged<Fields extends object>(edit: {
  now: Fields
  wish: Some<NoInfer<Fields>>
  was: Some<NoInfer<Fields>> | undefined
}): void {
  const { now, wish, was } = edit
  const fields = Object.keys(was ?? {}) as (keyof Fields & string)[]
  const conflicts = fields.flatMap((field): FieldConflict[] => {
    const [mine, read, theirs] = [wish[field], was?.[field], now[field]]
    if (mine === undefined || read === undefined || isDeepStrictEqual(read, theirs)) return []
    return isDeepStrictEqual(mine, theirs) ? [] : [{ field, mine, theirs }]
  })
  if (conflicts.length === 0) return
  const names = conflicts.map(({ field }) => field).join(', ')
  const message = `Changed by somebody else meanwhile: ${names}. Nothing was saved.`
  throw new AppError('conflict', message, { conflicts })
}
