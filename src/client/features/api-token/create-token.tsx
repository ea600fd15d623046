import { Button } from '@mantine/core'
import { type FormEvent, useId, useState } from 'react'
import type { ApiTokenScope } from '#shared/api-token.schemas.ts'
import { Dialog } from '../../kit/dialog.tsx'
import { InlineSelect } from '../../kit/inline-select.tsx'
import { serverSentence } from '../../lib/error-message.ts'
import { trpc } from '../../trpc.ts'
import classes from './create-token.module.css'
import { CreatedToken } from './created-token.tsx'
import { LIFETIMES, SCOPES } from './scopes.ts'

const NAME_MAX = 50
const KINDS = Object.keys(SCOPES) as ApiTokenScope[]

type Lifetime = (typeof LIFETIMES)[number]['value']

/** Makes a token, then shows it this once. */
export default function CreateToken({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils()
  const create = trpc.apiToken.create.useMutation({
    onSuccess: () => utils.apiToken.list.invalidate(),
  })
  if (create.data) {
    return (
      <Dialog title="Your new API token" onClose={onClose} closeOnClickOutside={false}>
        <CreatedToken created={create.data} onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title="New API token" onClose={onClose}>
      <TokenForm
        isPending={create.isPending}
        problem={create.error ? serverSentence(create.error) : undefined}
        onSubmit={(token) => create.mutate(token)}
      />
    </Dialog>
  )
}

type TokenFormProps = {
  isPending: boolean
  problem: string | undefined
  onSubmit: (token: { name: string; scope: ApiTokenScope; days: number | null }) => void
}

function TokenForm({ isPending, problem, onSubmit }: TokenFormProps) {
  const nameId = useId()
  const [name, setName] = useState('')
  const [scope, setScope] = useState<ApiTokenScope>('upload')
  const [lifetime, setLifetime] = useState<Lifetime>('90')
  const [isNameMissing, setNameMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setNameMissing(name.trim() === '')
    const days = lifetime === 'never' ? null : Number(lifetime)
    if (name.trim()) onSubmit({ name, scope, days })
  }
  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.field}>
        <label htmlFor={nameId}>Name</label>
        <input
          id={nameId}
          className={classes.input}
          value={name}
          maxLength={NAME_MAX}
          placeholder="ShareX on my desktop"
          autoComplete="off"
          aria-invalid={isNameMissing}
          onChange={(event) => {
            setName(event.currentTarget.value)
            setNameMissing(false)
          }}
        />
        {isNameMissing && (
          <p className={classes.problem} role="alert">
            Give it a name, so that you know it again.
          </p>
        )}
      </div>
      <fieldset className={classes.scopes}>
        <legend>What it may do</legend>
        {KINDS.map((kind) => (
          <label key={kind} className={classes.scope}>
            <input
              type="radio"
              name="scope"
              checked={scope === kind}
              onChange={() => setScope(kind)}
            />
            <span>
              <b>{SCOPES[kind].name}</b>
              <span className={classes.hint}>{SCOPES[kind].text}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <InlineSelect label="Works" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
      <p className={classes.hint}>
        A new password, a ban or deleting your account ends all your tokens.
      </p>
      <div className={classes.foot}>
        <p className={classes.problem} role="alert">
          {problem}
        </p>
        <Button type="submit" disabled={isPending}>
          {isPending ? 'Making...' : 'Make API token'}
        </Button>
      </div>
    </form>
  )
}
