import { Button } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Disclosure } from '#client/kit/control/disclosure.tsx'
import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { EntryRow, EntryRowsSkeleton } from '#client/kit/list/entry-row.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { errorStatus, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { notifyDone } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { ApiToken } from '#shared/schemas/api-token.schemas.ts'
import { formatDate } from '#shared/text/format.ts'
import { describeProgram } from '../settings/device-name.ts'
import { NetworkFact } from '../settings/network-fact.tsx'
import { SCOPES } from './scopes.ts'

const CreateToken = lazyPart(() => import('./create-token.tsx'))
const UploaderCommand = lazyPart(() => import('#client/kit/uploader-command.tsx'))
const RevokeAll = lazyPart(() => import('./revoke-all.tsx'))

export default function ApiTokens() {
  const tokens = trpc.apiToken.list.useQuery()
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<ApiToken>()
  const [isRevokingAll, setRevokingAll] = useState(false)
  if (tokens.isPending) return <EntryRowsSkeleton count={1} label="Loading API tokens" />
  return (
    <div className={stack(16)}>
      {tokens.isError && !tokens.data && (
        <LoadError error={tokens.error} onRetry={() => void tokens.refetch()} />
      )}
      {tokens.data?.length === 0 && (
        <p className={look('muted')}>You have no API tokens. Create one for ShareX or a script.</p>
      )}
      {tokens.data && tokens.data.length > 0 && (
        <ul>
          {tokens.data.map((token) => (
            <TokenRow key={token.id} token={token} onRevoke={() => setRevoked(token)} />
          ))}
        </ul>
      )}
      <div className={row(12, 'wrap')}>
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => setCreating(true)}
        >
          New API token
        </Button>
        {tokens.data && tokens.data.length > 1 && (
          <Button variant="outline" color="pulse" onClick={() => setRevokingAll(true)}>
            Revoke all tokens
          </Button>
        )}
      </div>
      <Disclosure label="Upload new recordings automatically" isLazy>
        <UploaderCommand />
      </Disclosure>
      {isCreating && <CreateToken onClose={() => setCreating(false)} />}
      {isRevokingAll && <RevokeAll onClose={() => setRevokingAll(false)} />}
      {revoked && <RevokeToken token={revoked} onClose={() => setRevoked(undefined)} />}
    </div>
  )
}

function TokenRow({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { name, scope, createdAt, lastUsedAt, address, userAgent, expiresAt } = token
  const isExpired = expiresAt !== null && new Date(expiresAt) <= new Date()
  return (
    <EntryRow
      icon={IconKey}
      name={name}
      tag={isExpired ? 'Expired' : SCOPES[scope].name}
      tone={isExpired ? 'wrong' : undefined}
      facts={
        <>
          Created <TimeAgo time={createdAt} /> ·{' '}
          {lastUsedAt ? (
            <>
              last used <TimeAgo time={lastUsedAt} />
              {userAgent !== null && ` by ${describeProgram(userAgent)}`}
              <NetworkFact address={address} />
            </>
          ) : (
            'never used'
          )}{' '}
          · {expiresAt ? `Expires: ${formatDate(expiresAt)}` : 'Expires: never'}
        </>
      }
      action={
        <Button variant="outline" color="pulse" aria-label={`Revoke ${name}`} onClick={onRevoke}>
          Revoke
        </Button>
      }
    />
  )
}

function RevokeToken({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const utils = trpc.useUtils()
  const revoke = trpc.apiToken.revoke.useMutation({
    onSuccess: notifyDone('API token revoked'),
    onError: (error) => {
      if (errorStatus(error) === 404) return
      const message = serverSentence(error)
      notify({ tone: 'error', title: 'The API token could not be revoked', message })
    },
    onSettled: async () => {
      onClose()
      await utils.apiToken.list.invalidate()
    },
  })
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={() => revoke.mutate({ id: token.id })}
      title="Revoke this API token"
      confirmLabel="Revoke"
      pendingLabel="Revoking..."
      isPending={revoke.isPending}
    >
      <p>
        Whatever uses "{token.name}" stops working at once. What it uploaded stays. This cannot be
        undone.
      </p>
    </ConfirmDialog>
  )
}
