import { Button } from '@mantine/core'
import { column, look, row } from '#client/kit/layout/layout.ts'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { useAskedOnce } from '#client/platform/use-asked-once.ts'
import { trpc, trpcClient } from '#client/trpc.ts'
import { formatDate } from '#shared/text/format.ts'
import { startSession, useNextPage } from './change-session.ts'
import { TooLate } from './too-late.tsx'

/** Shown after signing in to an account that is scheduled for deletion. */
export default function KeepAccount({ onBack }: { onBack: () => void }) {
  const leaving = useAskedOnce('leaving', () => trpcClient.auth.leaving.mutate())
  if (leaving.isError) {
    return <LoadError error={leaving.error} onRetry={() => void leaving.refetch()} />
  }
  if (leaving.isPending) return <TextSkeleton width="240px" />
  if (!leaving.data) return <TooLate onBack={onBack} />
  return <Question deletesAt={leaving.data.deletesAt} onBack={onBack} />
}

function Question({ deletesAt, onBack }: { deletesAt: string; onBack: () => void }) {
  const showNext = useNextPage()
  const keep = trpc.auth.keepAccount.useMutation({
    async onSuccess(user) {
      await startSession(user)
      await showNext()
      notify({ title: 'Your account is kept', message: 'Nothing will be deleted.' })
    },
  })
  return (
    <section className={column(16)} aria-labelledby="leaving">
      <h2 id="leaving" className={look('heading')}>
        Your account will be deleted on {formatDate(deletesAt)}
      </h2>
      <p className={look('muted')}>
        Until then everything is still there. Keep the account to sign in and go on as before.
      </p>
      {keep.error && (
        <p className={look('problem')} role="alert">
          {serverSentence(keep.error)}
        </p>
      )}
      <div className={row(12, 'wrap')}>
        <Button autoFocus disabled={keep.isPending} onClick={() => keep.mutate()}>
          {keep.isPending ? 'Keeping...' : 'Keep my account'}
        </Button>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
      </div>
    </section>
  )
}
