import { Button } from '@mantine/core'
import { IconLifebuoy } from '@tabler/icons-react'
import { useState } from 'react'
import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { EntryRow } from '#client/kit/list/entry-row.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { Factors } from '#shared/schemas/second-factor.schemas.ts'
import { CodesDialog } from './codes-dialog.tsx'
import classes from './security.module.css'

type RenewProps = { factors: Factors; username: string }

export function RenewRecoveryCodes({ factors, username }: RenewProps) {
  const utils = trpc.useUtils()
  const [isAsking, setAsking] = useState(false)
  const renew = trpc.security.renewRecoveryCodes.useMutation({
    onSuccess: () => utils.security.factors.invalidate(),
    onError: notifyFailure('Codes not created'),
    onSettled: () => setAsking(false),
  })
  const { recoveryCodesLeft: left, timeCodesSince, passkeyAfterPassword, required } = factors
  const isUseful =
    timeCodesSince !== null ||
    (factors.passkeys.length > 0 && (passkeyAfterPassword || required?.isDue))
  if (!isUseful) return null
  return (
    <div className={classes.part}>
      <ul>
        <EntryRow
          icon={IconLifebuoy}
          name="Recovery codes"
          tag={`${left} left`}
          tone={left === 0 ? 'wrong' : undefined}
          facts="For when you do not have your passkey or authenticator app. Each works once."
          action={
            <Button
              variant="default"
              aria-label="Make new recovery codes"
              onClick={() => (left > 0 ? setAsking(true) : renew.mutate())}
            >
              Make new
            </Button>
          }
        />
      </ul>
      {isAsking && (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          onConfirm={() => renew.mutate()}
          title="Make new recovery codes"
          confirmLabel="Make new codes"
          pendingLabel="Creating codes..."
          isPending={renew.isPending}
        >
          <p>The codes that you have now stop working.</p>
        </ConfirmDialog>
      )}
      {renew.data && (
        <CodesDialog
          codes={renew.data.recoveryCodes}
          username={username}
          onClose={() => renew.reset()}
        />
      )}
    </div>
  )
}
