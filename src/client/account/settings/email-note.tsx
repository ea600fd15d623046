import { look, row } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'

/** States below the address whether it is verified. Renders nothing on sites that send no email. */
export function EmailNote({ email }: { email: string }) {
  const { data: state } = trpc.email.state.useQuery()
  const send = trpc.email.sendVerification.useMutation({
    onSuccess: () =>
      notify({ title: 'Email sent', message: `Follow the link in the email to ${email}.` }),
  })
  if (!state?.sends) return null
  if (state.isVerified && !state.isRefused)
    return <p className={look('muted')}>Your email address is verified.</p>
  return (
    <div className={row([4, 12], 'wrap', 'centre')}>
      <p className={look('muted')}>
        {state.isRefused
          ? 'The mail server refused this address. Check that it is right.'
          : 'Not verified. Follow the link that was sent to this address.'}
      </p>
      <Button variant="default" disabled={send.isPending} onClick={() => send.mutate()}>
        {send.isPending ? 'Sending...' : 'Send again'}
      </Button>
      <p className={look('grow', 'problem')} role="alert">
        {send.error && serverSentence(send.error)}
      </p>
    </div>
  )
}
