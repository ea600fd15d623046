import '#client/kit/styles/mantine-pages.css'
import { Button, Radio, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { InlineSelect } from '#client/kit/control/inline-select.tsx'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { serverSentence } from '#client/platform/error-message.ts'
import { trpc } from '#client/trpc.ts'
import type { ApiTokenScope } from '#shared/schemas/api-token.schemas.ts'
import classes from './create-token.module.css'
import { CreatedToken } from './created-token.tsx'
import { LIFETIMES, type Lifetime, SCOPES } from './scopes.ts'

const NAME_MAX = 50
const KINDS = Object.keys(SCOPES) as ApiTokenScope[]

/** The token is shown once only. */
export default function CreateToken({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils()
  const create = trpc.apiToken.create.useMutation({
    onSuccess: () => utils.apiToken.list.invalidate(),
  })
  if (create.data) {
    return (
      <Dialog
        title="Your new API token"
        size={480}
        isSpaced
        closeOnClickOutside={false}
        onClose={onClose}
      >
        <CreatedToken created={create.data} onClose={onClose} />
      </Dialog>
    )
  }
  return (
    <Dialog title="New API token" size={480} onClose={onClose}>
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
    <form className={stack(16)} onSubmit={submit} noValidate>
      <TextInput
        label="Name"
        value={name}
        maxLength={NAME_MAX}
        placeholder="ShareX on my desktop"
        autoComplete="off"
        error={isNameMissing && 'Give it a name, so you can tell it apart later.'}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setNameMissing(false)
        }}
      />
      <Radio.Group
        label="Permissions"
        value={scope}
        onChange={(kind) => setScope(kind as ApiTokenScope)}
      >
        <div className={stack(8)}>
          {KINDS.map((kind) => (
            <Radio
              key={kind}
              value={kind}
              className={`${classes.scope} ${look('pad12', 'outlined')}`}
              label={SCOPES[kind].name}
              description={SCOPES[kind].text}
            />
          ))}
        </div>
      </Radio.Group>
      <InlineSelect label="Valid" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
      <p className={look('note')}>
        A new password, a ban or deleting your account ends all your tokens.
      </p>
      <div className={row(12, 'wrap', 'end')}>
        <p className={look('grow', 'problem')} role="alert">
          {problem}
        </p>
        <Button type="submit" disabled={isPending}>
          {isPending ? 'Creating...' : 'Create API token'}
        </Button>
      </div>
    </form>
  )
}
