import '../../kit/styles/mantine-pages.css'
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { CopyField } from '../../kit/control/copy-field.tsx'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import { serverSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'

const NAME_MAX = 50

/** The token is shown once only. */
export default function AddWorker({ onClose }: { onClose: () => void }) {
  const utils = trpc.useUtils()
  const create = trpc.worker.create.useMutation({ onSuccess: () => utils.worker.invalidate() })
  if (create.data) {
    const { name, token } = create.data
    return (
      <Dialog
        title={`${name} can begin`}
        size={480}
        isSpaced
        closeOnClickOutside={false}
        onClose={onClose}
      >
        <p>
          Copy this now: the token is not shown again. Whoever has it can put files of their making
          into new videos.
        </p>
        <CopyField label="Token" text={token} message="Token copied to clipboard." />
        <CopyField
          label="Command"
          text={`npm run worker -- ${location.origin} --token ${token}`}
          message="Command copied to clipboard."
          rows={4}
        />
        <p className={look('note')}>
          Run it in a copy of Clutch of the same version, after npm ci. On a machine with several
          accounts, put the token into a file and use --token-file.
        </p>
        <div className={row(12, 'wrap', 'end')}>
          <Button onClick={onClose}>Done</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title="Add a worker" size={480} onClose={onClose}>
      <NameForm
        isPending={create.isPending}
        problem={create.error ? serverSentence(create.error) : undefined}
        onSubmit={(name) => create.mutate({ name })}
      />
    </Dialog>
  )
}

type NameFormProps = {
  isPending: boolean
  problem: string | undefined
  onSubmit: (name: string) => void
}

function NameForm({ isPending, problem, onSubmit }: NameFormProps) {
  const [name, setName] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setMissing(name.trim() === '')
    if (name.trim()) onSubmit(name)
  }
  return (
    <form className={stack(16)} onSubmit={submit} noValidate>
      <TextInput
        label="Name"
        data-autofocus
        value={name}
        maxLength={NAME_MAX}
        placeholder="Gaming PC upstairs"
        autoComplete="off"
        error={isMissing && 'Give it a name, so you can tell it apart later.'}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setMissing(false)
        }}
      />
      <p className={look('note')}>Each machine gets a token of its own.</p>
      <div className={row(12, 'wrap', 'end')}>
        <p className={look('grow', 'problem')} role="alert">
          {problem}
        </p>
        <Button type="submit" disabled={isPending}>
          {isPending ? 'Adding...' : 'Add'}
        </Button>
      </div>
    </form>
  )
}
