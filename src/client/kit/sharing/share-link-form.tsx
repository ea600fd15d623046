import '#client/kit/styles/mantine-pages.css'
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { InlineSelect } from '#client/kit/control/inline-select.tsx'
import { look } from '#client/kit/layout/layout.ts'
import { passwordRule } from '#shared/field-rules.ts'
import { SHARE_LINK_NOTE_MAX } from '#shared/limits.ts'
import classes from './share-links.module.css'

const DAY_MS = 86_400_000

const LIFETIMES = [
  { value: '1', label: 'for a day' },
  { value: '7', label: 'for 7 days' },
  { value: '30', label: 'for 30 days' },
  { value: 'date', label: 'until a date' },
  { value: 'never', label: 'until I revoke it' },
] as const
type Lifetime = (typeof LIFETIMES)[number]['value']

type NewLink = {
  note: string
  password: string | null
  expiresAt: string | null
  maxViews: number | null
}

type ShareLinkFormProps = {
  isPending: boolean
  problem: string | undefined
  onSubmit: (link: NewLink) => void
}

/** All fields are optional. */
export function ShareLinkForm({ isPending, problem, onSubmit }: ShareLinkFormProps) {
  const [note, setNote] = useState('')
  const [password, setPassword] = useState('')
  const [lifetime, setLifetime] = useState<Lifetime>('7')
  const [date, setDate] = useState('')
  const [views, setViews] = useState('')
  const [isTried, setTried] = useState(false)
  const expiresAt = endOf(lifetime, date)
  const problems = {
    password: password === '' ? undefined : passwordRule(password),
    date: expiresAt === undefined ? 'Choose today or a day in the future.' : undefined,
    views: /^([1-9]\d{0,5})?$/.test(views.trim()) ? undefined : 'A whole number, or nothing.',
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (expiresAt === undefined || problems.password || problems.views) return
    const maxViews = views.trim() === '' ? null : Number(views)
    onSubmit({ note, password: password || null, expiresAt, maxViews })
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <TextInput
        label="Note for yourself (optional)"
        value={note}
        maxLength={SHARE_LINK_NOTE_MAX}
        autoComplete="off"
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <PasswordInput
        label="Link password (optional)"
        autoComplete="new-password"
        value={password}
        error={isTried && problems.password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <TextInput
        label="Maximum number of opens (optional)"
        inputMode="numeric"
        placeholder="any number of times"
        value={views}
        error={isTried && problems.views}
        onChange={(event) => setViews(event.currentTarget.value)}
      />
      <InlineSelect label="Valid" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
      {lifetime === 'date' && (
        <TextInput
          type="date"
          label="Last day"
          value={date}
          error={isTried && problems.date}
          onChange={(event) => setDate(event.currentTarget.value)}
        />
      )}
      <p className={look('problem')} role="alert">
        {problem}
      </p>
      <div>
        <Button type="submit" disabled={isPending}>
          {isPending ? 'Creating...' : 'Create link'}
        </Button>
      </div>
    </form>
  )
}

/** Null for never; undefined without a future day. */
function endOf(lifetime: Lifetime, date: string): string | null | undefined {
  if (lifetime === 'never') return null
  if (lifetime !== 'date') return new Date(Date.now() + Number(lifetime) * DAY_MS).toISOString()
  const end = new Date(`${date}T23:59:59`)
  return end.getTime() > Date.now() ? end.toISOString() : undefined
}
