import { Button } from '@mantine/core'
import { IconDeviceMobile } from '@tabler/icons-react'
import { useState } from 'react'
import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { EntryRow } from '#client/kit/list/entry-row.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { notifyDone, notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { Factors } from '#shared/schemas/second-factor.schemas.ts'
import { formatDate } from '#shared/text/format.ts'
import classes from './security.module.css'

const SetUpApp = lazyPart(() => import('./set-up-app.tsx'))

export function AuthenticatorApp({ factors, username }: { factors: Factors; username: string }) {
  const utils = trpc.useUtils()
  const [isRemoving, setRemoving] = useState(false)
  const begin = trpc.security.beginTimeCodes.useMutation({
    onError: notifyFailure('The authenticator app could not be set up'),
  })
  const remove = trpc.security.removeTimeCodes.useMutation({
    onSuccess: notifyDone('Authenticator app removed'),
    onError: notifyFailure('The authenticator app could not be removed'),
    onSettled: async () => {
      setRemoving(false)
      await utils.security.factors.invalidate()
    },
  })
  const since = factors.timeCodesSince
  return (
    <div className={classes.part}>
      <ul>
        <EntryRow
          icon={IconDeviceMobile}
          name="Authenticator app"
          tag={since !== null && 'On'}
          facts={
            since === null
              ? 'Asks for a code of an app on your phone after the password.'
              : `Asked for after the password since ${formatDate(since)}.`
          }
          action={
            since === null ? (
              <Button variant="default" disabled={begin.isPending} onClick={() => begin.mutate()}>
                Set up
              </Button>
            ) : (
              <Button
                variant="outline"
                color="pulse"
                aria-label="Remove the authenticator app"
                onClick={() => setRemoving(true)}
              >
                Remove
              </Button>
            )
          }
        />
      </ul>
      {begin.data && <SetUpApp setup={begin.data} username={username} onClose={begin.reset} />}
      {isRemoving && (
        <ConfirmDialog
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutate()}
          title="Remove the authenticator app"
          confirmLabel="Remove"
          pendingLabel="Removing..."
          isPending={remove.isPending}
        >
          <p>Signing in no longer asks for its codes. You can set it up again at any time.</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
