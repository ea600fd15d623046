import { Button } from '@mantine/core'
import { IconDeviceDesktop } from '@tabler/icons-react'
import { useState } from 'react'
import { InlineSelect } from '#client/kit/control/inline-select.tsx'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { EntryRow } from '#client/kit/list/entry-row.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { serverSentence } from '#client/platform/error-message.ts'
import { trpc } from '#client/trpc.ts'
import type { WaitingDevice } from '#shared/schemas/device-code.schemas.ts'
import { LIFETIMES, type Lifetime } from '../api-token/scopes.ts'
import { NetworkFact } from '../settings/network-fact.tsx'
import classes from './approve-device.module.css'

type Props = {
  device: WaitingDevice
  onDone: (outcome: 'approved' | 'refused') => void
}

/** Approval always requires a press, because the sender of a link to this page must not get a token. */
export function ApproveDevice({ device, onDone }: Props) {
  const { userCode, name, address, requestedAt } = device
  const [lifetime, setLifetime] = useState<Lifetime>('365')
  const approve = trpc.deviceCode.approve.useMutation({ onSuccess: () => onDone('approved') })
  const refuse = trpc.deviceCode.refuse.useMutation({ onSuccess: () => onDone('refused') })
  const error = approve.error ?? refuse.error
  const isPending = approve.isPending || refuse.isPending
  return (
    <div className={stack(16)}>
      <p className={look('muted')}>
        A program asks to upload as you. Compare the code with the one that it shows, and approve it
        only if you started it yourself just now.
      </p>
      <p className={`${classes.code} ${look('display', 'outlined', 'surface')}`}>{userCode}</p>
      <ul>
        <EntryRow
          icon={IconDeviceDesktop}
          name={name}
          facts={
            <>
              Asked <TimeAgo time={requestedAt} />
              <NetworkFact address={address} />
            </>
          }
        />
      </ul>
      <p>
        It may upload videos and read your own, and nothing else. It gets an API token, which you
        can revoke under 'API tokens' in your settings.
      </p>
      <InlineSelect label="Valid" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
      <p className={look('problem', 'hiddenWhenEmpty')} role="alert">
        {error ? serverSentence(error) : ''}
      </p>
      <div className={row(12, 'wrap')}>
        <Button
          disabled={isPending}
          onClick={() =>
            approve.mutate({ userCode, days: lifetime === 'never' ? null : Number(lifetime) })
          }
        >
          {approve.isPending ? 'Approving...' : 'Approve'}
        </Button>
        <Button variant="default" disabled={isPending} onClick={() => refuse.mutate({ userCode })}>
          Refuse
        </Button>
      </div>
    </div>
  )
}
