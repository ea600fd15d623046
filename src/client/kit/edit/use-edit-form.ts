import { type ReactNode, useRef, useState } from 'react'
import { fieldConflicts } from '#client/platform/error-message.ts'
import type { FieldConflict } from '#shared/field-conflict.ts'
import { useCheckedForm } from '../control/use-checked-form.ts'

/** What a field is called where somebody else changed it too, and how its value reads there if it is not plain text. */
export type FieldWords<Read> = {
  [Field in keyof Read]: string | { label: string; show: (value: Read[Field]) => string }
}

/** What an edit sends: the changed fields, and what those were when they were read. */
export type Edit<Read> = { [Field in keyof Read]?: Read[Field] } & { was: Partial<Read> }

export type EditFormOptions<Read, Held> = {
  /** The fields as the server has them, as far as this page knows. */
  read: Read
  words: FieldWords<Read>
  validate?: { [Field in keyof Held]?: (value: Held[Field], values: Held) => ReactNode }
} & (
  | { hold?: undefined; toRead?: undefined }
  | {
      /** The form's values of what was read, by the same names. */
      hold: (read: Read) => Held
      /** The way back. `base` is what the form was filled with. */
      toRead: (values: Held, base: Read) => Partial<Read>
    }
)

export type EditForm = Pick<
  ReturnType<typeof useEditForm<Record<string, unknown>>>,
  'conflicts' | 'resolve'
>

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * A form that changes what the server has. Fields that nobody touched here follow `read`; the others keep what was typed,
 * and are sent with what they were when it was. Where the server answers that one changed meanwhile, `conflicts` has
 * both values for `EditConflicts`.
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

  /** Takes over fields from what the server has; only those that `isTaken` get its values in the form. */
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
    /** To be sent. */
    edit: () => {
      sent.current = form.values
      setConflicts([])
      return { ...only(now), was: only(base) } as Edit<Read>
    },
    /** It is saved, and this is what the server has now. What was typed since stays. */
    settle: (saved: Read) => {
      setConflicts([])
      const latest: Record<string, unknown> = form.getValues()
      take(saved, fields, (field) => isSame(latest[field], sent.current[field]))
    },
    /** What was typed goes. */
    undo: () => {
      setConflicts([])
      take(read, fields, () => true)
    },
    /** Notes what the server refused an edit for, if that is what the error says. */
    noteConflicts: (error: unknown) => setConflicts(fieldConflicts(error) ?? []),
    /** The fields to choose a value for, in words. */
    conflicts: conflicts.map(({ field, mine, theirs }) => {
      const key = field as keyof Read & string
      const word = words[key] ?? field
      const show =
        typeof word === 'string' ? showPlainly : (word.show as (value: unknown) => string)
      const label = typeof word === 'string' ? word : word.label
      return { field, label, mine: show(now[key] ?? mine), theirs: show(theirs) }
    }),
    /** Takes one of the values. @returns whether that was the last field, and something is left to be sent */
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

/** A value as text, in the words of a switch or a list. */
export function showPlainly(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (Array.isArray(value)) return value.join(', ')
  return value === null || value === undefined ? '' : String(value)
}

export type EditConflictsProps = {
  form: EditForm
  /** Sends what is left to be changed; the form around it is submitted unless given. */
  onSend?: () => void
}
