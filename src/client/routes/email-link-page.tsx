import '../kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { LinkButton } from '../kit/control/link-button.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { errorStatus, serverSentence } from '../platform/error-message.ts'
import classes from './reset-page.module.css'
import { Logo } from './shell/header/header.tsx'

/** Errors of a link that can never work. */
const DEAD = [400, 404]

type EmailLinkPageProps = {
  title: string
  question: string
  label: string
  pendingLabel: string
  isPending: boolean
  error: unknown
  /** Shown after the action has succeeded. */
  result: ReactNode
  onConfirm: () => void
}

/**
 * A page that is opened by a link in an email. It acts only when the button is pressed, because some mail programs
 * open links.
 */
export function EmailLinkPage(props: EmailLinkPageProps) {
  const { title, question, label, pendingLabel, isPending, error, result, onConfirm } = props
  return (
    <main className={classes.page}>
      <PageTitle title={title} />
      <Logo />
      <h1 className={look('size28')}>{title}</h1>
      {result ? (
        <>
          <p role="status">{result}</p>
          <LinkButton to="/">Go to the site</LinkButton>
        </>
      ) : (
        <>
          <p className={look('muted')}>{question}</p>
          <p className={look('problem')} role="alert">
            {error ? serverSentence(error) : undefined}
          </p>
          {DEAD.includes(errorStatus(error) ?? 0) ? (
            <LinkButton to="/settings">Open your settings</LinkButton>
          ) : (
            <Button disabled={isPending} onClick={onConfirm}>
              {isPending ? pendingLabel : label}
            </Button>
          )}
        </>
      )}
    </main>
  )
}
