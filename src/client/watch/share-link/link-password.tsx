import '#client/kit/styles/mantine-pages.css'
import { Button, PasswordInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { LockDrawing } from '#client/kit/drawings/lock-drawing.tsx'
import { EmptyState } from '#client/kit/list/empty-state.tsx'
import classes from './linked-video.module.css'

type LinkPasswordProps = {
  isPending: boolean
  problem: string | undefined
  onSubmit: (password: string) => void
}

export function LinkPassword({ isPending, problem, onSubmit }: LinkPasswordProps) {
  const [password, setPassword] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (password) onSubmit(password)
  }
  const form = (
    <form className={classes.form} onSubmit={submit} noValidate>
      <PasswordInput
        label="Password"
        autoComplete="off"
        data-autofocus
        value={password}
        error={problem}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" disabled={isPending || password === ''}>
        {isPending ? 'Opening...' : 'Open'}
      </Button>
    </form>
  )
  return (
    <EmptyState
      heading="h1"
      drawing={<LockDrawing />}
      title="This link asks for a password"
      action={form}
    >
      Ask whoever sent you the link.
    </EmptyState>
  )
}
