import { type ReactNode, useRef, useState } from 'react'
import { fieldConflicts } from '#client/platform/error-message.ts'
import type { FieldConflict } from '#shared/field-conflict.ts'
import { useCheckedForm } from '../control/use-checked-form.ts'

/** Labels for conflicts, and formatting of values. */
export type FieldWords<Read> = {
  [Field in keyof Read]: string | { label: string; show: (value: Read[Field]) => string }
}

/** Changed fields and their previous values. */
export type Edit<Read> = { [Field in keyof Read]?: Read[Field] } & { was: Partial<Read> }

export type EditFormOptions<Read, Held> = {
  /** Last known server values. */
  read: Read
  words: FieldWords<Read>
  validate?: { [Field in keyof Held]?: (value: Held[Field], values: Held) => ReactNode }
} & (
  | { hold?: undefined; toRead?: undefined }
  | {
      hold: (read: Read) => Held
      /** Inverse of `hold`. `base` is what the form was filled with. */
      toRead: (values: Held, base: Read) => Partial<Read>
    }
)

export type EditForm = Pick<
  ReturnType<typeof useEditForm<Record<string, unknown>>>,
  'conflicts' | 'resolve'
>

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Untouched fields follow `read`; touched ones are sent with their base values. On a conflict
 * `conflicts` has both values for `EditConflicts`.
 */
export function useEditForm<Read extends object, Held extends object = Read>(
  options: EditFormOptions<Read, Held>,
) {
  const { read, words, validate = {} } = options
  const hold = options.hold ?? ((same: Read) => same as unknown as Held)
  const toRead = options.toRead ?? ((same: Held) => same as unknown as Partial<Read>)
  const form = useCheckedForm<Held & Record<string, unknown>>({
    initialValues: hold(read) as Held & Record<string, unknown>,
    validate,
  })
  const [base, setBase] = useState(read)
  const [seen, setSeen] = useState(read)
  const [conflicts, setConflicts] = useState<FieldConflict[]>([])
  const sent = useRef<Record<string, unknown>>({})
  const fields = Object.keys(words) as (keyof Read & string)[]
  const values: Record<string, unknown> = form.values
  const held = hold(base) as Record<string, unknown>

  /** @param isTaken also replaces form values of these fields */
  const take = (next: Read, changed: typeof fields, isTaken: (field: string) => boolean) => {
    const pick = (from: object) => Object.entries(from).filter(([name]) => isOneOf(changed, name))
    setBase((old) => ({ ...old, ...Object.fromEntries(pick(next)) }))
    const shown = pick(hold(next)).filter(([name]) => isTaken(name))
    if (shown.length > 0) form.setValues(Object.fromEntries(shown) as Partial<typeof form.values>)
  }

  if (!isSame(seen, read)) {
    setSeen(read)
    const next = hold(read) as Record<string, unknown>
    const isFollowing = (field: string) =>
      isSame(values[field], held[field]) || isSame(values[field], next[field])
    const changed = fields.filter((field) => !isSame(seen[field], read[field]))
    take(read, changed.filter(isFollowing), () => true)
  }

  const now = toRead(form.values, base)
  const changed = fields.filter(
    (field) =>
      now[field] !== undefined &&
      !isSame(values[field], held[field]) &&
      !isSame(now[field], base[field]),
  )
  const only = (from: object) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => isOneOf(changed, name)))

  return {
    ...form,
    isChanged: changed.length > 0,
    edit: () => {
      sent.current = form.values
      setConflicts([])
      return { ...only(now), was: only(base) } as Edit<Read>
    },
    /** After saving; later input stays. */
    markSaved: (saved: Read) => {
      setConflicts([])
      const latest: Record<string, unknown> = form.getValues()
      take(saved, fields, (field) => isSame(latest[field], sent.current[field]))
    },
    /** Discards input. */
    undo: () => {
      setConflicts([])
      take(read, fields, () => true)
    },
    /** Ignores other errors. */
    noteConflicts: (error: unknown) => setConflicts(fieldConflicts(error) ?? []),
    /** With labels. */
    conflicts: conflicts.map(({ field, mine, theirs }) => {
      const key = field as keyof Read & string
      const word = words[key] ?? field
      const show =
        typeof word === 'string' ? showPlainly : (word.show as (value: unknown) => string)
      const label = typeof word === 'string' ? word : word.label
      return { field, label, mine: show(now[key] ?? mine), theirs: show(theirs) }
    }),
    /** @returns whether it was the last one, and whether anything is left to send */
    resolve: (field: string, choice: 'mine' | 'theirs'): { isLast: boolean; isToSend: boolean } => {
      const conflict = conflicts.find((one) => one.field === field)
      const others = conflicts.filter((one) => one !== conflict)
      setConflicts(others)
      const next = { ...base, [field]: conflict?.theirs }
      take(next, [field as keyof Read & string], () => choice === 'theirs')
      const isToSend = choice === 'mine' || changed.some((name) => name !== field)
      return { isLast: others.length === 0, isToSend }
    },
  }
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name)
}

/** In words, for switches and lists. */
export function showPlainly(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (Array.isArray(value)) return value.join(', ')
  return value === null || value === undefined ? '' : String(value)
}

export type EditConflictsProps = {
  form: EditForm
  /** Submits the form by default. */
  onSend?: () => void
}
