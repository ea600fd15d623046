import { look } from '#client/kit/layout/layout.ts'
import '../kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { LinkButton } from '../kit/control/link-button.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { serverSentence } from '../platform/error-message.ts'
import { trpc } from '../trpc.ts'
import classes from './reset-page.module.css'
import { Logo } from './shell/header/header.tsx'

/** For a link in an email. A button, because programs that look at email open its links. */
export function VerifyPage() {
  // In the fragment, which browsers do not send.
  const token = useLocation({ select: ({ hash }) => hash })
  const utils = trpc.useUtils()
  const verify = trpc.email.verify.useMutation({ onSuccess: () => utils.email.state.invalidate() })
  return (
    <main className={classes.page}>
      <PageTitle title="Verify your email address" />
      <Logo />
      <h1 className={look('size28')}>Verify your email address</h1>
      {verify.data ? (
        <>
          <p role="status">The email address of @{verify.data.username} is verified.</p>
          <LinkButton to="/">Go to the site</LinkButton>
        </>
      ) : (
        <>
          <p className={look('muted')}>Confirm that the email came to you.</p>
          <p className={look('problem')} role="alert">
            {verify.error && serverSentence(verify.error)}
          </p>
          <Button disabled={verify.isPending} onClick={() => verify.mutate({ token })}>
            {verify.isPending ? 'Verifying...' : 'Verify address'}
          </Button>
        </>
      )}
    </main>
  )
}
