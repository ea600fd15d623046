import { useLocation } from '@tanstack/react-router'
import { trpc } from '../trpc.ts'
import { EmailLinkPage } from './email-link-page.tsx'

export function UnsubscribePage() {
  // The token is in the query, because mail programs send a POST to the same address.
  const token = useLocation({
    select: ({ searchStr }) => new URLSearchParams(searchStr).get('token') ?? '',
  })
  const utils = trpc.useUtils()
  const unsubscribe = trpc.digest.unsubscribe.useMutation({
    onSuccess: () => utils.digest.choice.invalidate(),
  })
  return (
    <EmailLinkPage
      title="Unsubscribe"
      question="Stop the summaries of your notifications by email?"
      label="Unsubscribe"
      pendingLabel="Unsubscribing..."
      isPending={unsubscribe.isPending}
      error={unsubscribe.error}
      result={
        unsubscribe.isSuccess &&
        'You will no longer receive summaries by email. You can turn them on again in your settings.'
      }
      onConfirm={() => unsubscribe.mutate({ token })}
    />
  )
}
