import { useLocation } from '@tanstack/react-router'
import { trpc } from '../trpc.ts'
import { EmailLinkPage } from './email-link-page.tsx'

export function VerifyPage() {
  // The token is in the fragment, which browsers do not send to servers.
  const token = useLocation({ select: ({ hash }) => hash })
  const utils = trpc.useUtils()
  const verify = trpc.email.verify.useMutation({ onSuccess: () => utils.email.state.invalidate() })
  return (
    <EmailLinkPage
      title="Verify your email address"
      question="Confirm that the email came to you."
      label="Verify address"
      pendingLabel="Verifying..."
      isPending={verify.isPending}
      error={verify.error}
      result={verify.data && `The email address of @${verify.data.username} is verified.`}
      onConfirm={() => verify.mutate({ token })}
    />
  )
}
