import { type ReactNode, useRef, useState } from 'react'
import { fieldConflicts } from '#client/platform/error-message.ts'
import type { FieldConflict } from '#shared/field-conflict.ts'
import { useCheckedForm } from '../control/use-checked-form.ts'

/** Labels for conflicts, and formatting of values. */
export type FieldLabels<Fields> = {
  [Field in keyof Fields]: string | { label: string; show: (value: Fields[Field]) => string }
}

/** Changed fields and their previous values. */
export type Edit<Fields> = { [Field in keyof Fields]?: Fields[Field] } & { was: Partial<Fields> }

export type EditFormOptions<Fields, Values> = {
  /** Last known server values. */
  saved: Fields
  labels: FieldLabels<Fields>
  validate?: { [Field in keyof Values]?: (value: Values[Field], values: Values) => ReactNode }
  onInvalid?: (field: string) => void
} & (
  | { toValues?: undefined; toFields?: undefined }
  | {
      toValues: (saved: Fields) => Values
      /** Inverse of `toValues`. `base` is what the form was filled with. */
      toFields: (values: Values, base: Fields) => Partial<Fields>
    }
)

export type EditForm = Pick<
  ReturnType<typeof useEditForm<Record<string, unknown>>>,
  'conflicts' | 'resolve'
>

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Untouched fields follow `saved`; touched ones are sent with their base values. On a conflict
 * `conflicts` has both values for `EditConflicts`.
 */
export function useEditForm<Fields extends object, Values extends object = Fields>(
  options: EditFormOptions<Fields, Values>,
) {
  const { saved, labels, validate = {}, onInvalid } = options
  const toValues = options.toValues ?? ((same: Fields) => same as unknown as Values)
  const toFields = options.toFields ?? ((same: Values) => same as unknown as Partial<Fields>)
  const form = useCheckedForm<Values & Record<string, unknown>>({
    initialValues: toValues(saved) as Values & Record<string, unknown>,
    validate,
    onInvalid,
  })
  const [base, setBase] = useState(saved)
  const [seen, setSeen] = useState(saved)
  const [conflicts, setConflicts] = useState<FieldConflict[]>([])
  const sent = useRef<Record<string, unknown>>({})
  const fields = Object.keys(labels) as (keyof Fields & string)[]
  const values: Record<string, unknown> = form.values
  const baseValues = toValues(base) as Record<string, unknown>

  /** @param isTaken also replaces form values of these fields */
  const take = (next: Fields, changed: typeof fields, isTaken: (field: string) => boolean) => {
    const pick = (from: object) => Object.entries(from).filter(([name]) => isOneOf(changed, name))
    setBase((old) => ({ ...old, ...Object.fromEntries(pick(next)) }))
    const shown = pick(toValues(next)).filter(([name]) => isTaken(name))
    if (shown.length > 0) form.setValues(Object.fromEntries(shown) as Partial<typeof form.values>)
  }

  if (!isSame(seen, saved)) {
    setSeen(saved)
    const next = toValues(saved) as Record<string, unknown>
    const isFollowing = (field: string) =>
      isSame(values[field], baseValues[field]) || isSame(values[field], next[field])
    const changed = fields.filter((field) => !isSame(seen[field], saved[field]))
    take(saved, changed.filter(isFollowing), () => true)
  }

  const now = toFields(form.values, base)
  const changed = fields.filter(
    (field) =>
      now[field] !== undefined &&
      !isSame(values[field], baseValues[field]) &&
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
      return { ...only(now), was: only(base) } as Edit<Fields>
    },
    /** After saving; later input stays. */
    markSaved: (next: Fields) => {
      setConflicts([])
      const latest: Record<string, unknown> = form.getValues()
      take(next, fields, (field) => isSame(latest[field], sent.current[field]))
    },
    /** Discards input. */
    undo: () => {
      setConflicts([])
      take(saved, fields, () => true)
    },
    /** Ignores other errors. */
    noteConflicts: (error: unknown) => setConflicts(fieldConflicts(error) ?? []),
    /** With labels. */
    conflicts: conflicts.map(({ field, mine, theirs }) => {
      const key = field as keyof Fields & string
      const entry = labels[key] ?? field
      const show =
        typeof entry === 'string' ? showPlainly : (entry.show as (value: unknown) => string)
      const label = typeof entry === 'string' ? entry : entry.label
      return { field, label, mine: show(now[key] ?? mine), theirs: show(theirs) }
    }),
    /** @returns whether it was the last one, and whether anything is left to send */
    resolve: (field: string, choice: 'mine' | 'theirs'): { isLast: boolean; isToSend: boolean } => {
      const conflict = conflicts.find((one) => one.field === field)
      const others = conflicts.filter((one) => one !== conflict)
      setConflicts(others)
      const next = { ...base, [field]: conflict?.theirs }
      take(next, [field as keyof Fields & string], () => choice === 'theirs')
      const isToSend = choice === 'mine' || changed.some((name) => name !== field)
      return { isLast: others.length === 0, isToSend }
    },
  }
}

function isOneOf(names: readonly string[], name: string): boolean {
  return names.includes(name)
}

/** 'On' or 'Off' for a switch; a list with commas. */
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
