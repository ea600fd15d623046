import '../kit/styles/mantine-pages.css'
import { Button, TextInput } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import { ApproveDevice } from '../account/device-code/approve-device.tsx'
import { LinkButton } from '../kit/control/link-button.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { serverSentence } from '../platform/error-message.ts'
import { trpc } from '../trpc.ts'
import classes from './reset-page.module.css'
import { Logo } from './shell/header/header.tsx'

const OUTCOMES = {
  approved: 'The program is connected. You can close this page.',
  refused: 'The program was refused and cannot upload as you.',
}

/** The page on which a member approves `clutch.mjs`. */
export function LinkPage() {
  const given = useLocation({
    select: ({ searchStr }) => new URLSearchParams(searchStr).get('code') ?? '',
  })
  const find = trpc.deviceCode.find.useMutation()
  const { mutate } = find
  const [outcome, setOutcome] = useState<keyof typeof OUTCOMES>()
  useEffect(() => {
    if (given) mutate({ userCode: given })
  }, [given, mutate])
  return (
    <main className={classes.page}>
      <PageTitle title="Connect a program" />
      <Logo />
      <h1 className={look('size28')}>Connect a program</h1>
      {outcome && (
        <>
          <p role="status">{OUTCOMES[outcome]}</p>
          <LinkButton to="/">Go to the site</LinkButton>
        </>
      )}
      {!outcome && find.data && <ApproveDevice device={find.data} onDone={setOutcome} />}
      {!outcome && !find.data && (
        <CodeForm
          isPending={find.isPending}
          problem={find.error ? serverSentence(find.error) : ''}
          onSubmit={(userCode) => mutate({ userCode })}
        />
      )}
    </main>
  )
}

type CodeFormProps = {
  isPending: boolean
  problem: string
  onSubmit: (userCode: string) => void
}

function CodeForm({ isPending, problem, onSubmit }: CodeFormProps) {
  const [code, setCode] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code.trim()) onSubmit(code)
  }
  return (
    <form className={`${stack(16)} ${look('fullWidth')}`} onSubmit={submit} noValidate>
      <TextInput
        label="Code"
        description="The program shows it."
        placeholder="BCDF-GHJK"
        maxLength={20}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
      />
      <p className={look('problem', 'hiddenWhenEmpty')} role="alert">
        {problem}
      </p>
      <div>
        <Button type="submit" disabled={isPending}>
          {isPending ? 'Looking...' : 'Continue'}
        </Button>
      </div>
    </form>
  )
}
