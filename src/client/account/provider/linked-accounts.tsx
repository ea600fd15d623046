import { Button } from '@mantine/core'
import { useState } from 'react'
import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { look, stack, wrapped } from '#client/kit/layout/layout.ts'
import { EntryRow, EntryRowsSkeleton } from '#client/kit/list/entry-row.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { iconOf } from '#client/kit/provider-icon.ts'
import { TimeAgo } from '#client/kit/video/time-ago.tsx'
import { serverSentence } from '#client/platform/error-message.ts'
import { notifyDone, notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { LinkedAccounts as Linked } from '#shared/schemas/provider.schemas.ts'
import { ProviderProblem } from './provider-outcome.tsx'
import { useProviderVisit } from './use-provider-visit.ts'

type Identity = Linked['identities'][number]

/** Accounts at providers that the member can sign in with. */
export default function LinkedAccounts({ isBack }: { isBack: boolean }) {
  const linked = trpc.provider.linked.useQuery()
  const [unlinked, setUnlinked] = useState<Identity>()
  const visit = useProviderVisit()
  if (linked.isPending) return <EntryRowsSkeleton count={1} label="Loading linked accounts" />
  if (!linked.data) {
    return <LoadError error={linked.error} onRetry={() => void linked.refetch()} />
  }
  const { identities, providers } = linked.data
  const others = providers.filter(
    ({ id }) => !identities.some(({ provider }) => provider.id === id),
  )
  return (
    <div className={stack(16)}>
      {isBack && <ProviderProblem />}
      {identities.length > 0 && (
        <ul>
          {identities.map((identity) => (
            <EntryRow
              key={identity.id}
              icon={iconOf(identity.provider)}
              name={identity.provider.name}
              facts={
                <>
                  {identity.name} · last used <TimeAgo time={identity.lastUsedAt} />
                  {identity.isHeld &&
                    `. Your account was created for members of a ${identity.provider.name} server, so only an admin can unlink it.`}
                </>
              }
              action={
                !identity.isHeld && (
                  <Button
                    variant="default"
                    aria-label={`Unlink ${identity.provider.name}`}
                    onClick={() => setUnlinked(identity)}
                  >
                    Unlink
                  </Button>
                )
              }
            />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <div className={wrapped(12)}>
          {others.map((provider) => {
            const { id, name } = provider
            const Icon = iconOf(provider)
            return (
              <Button
                key={id}
                variant="default"
                leftSection={<Icon size={18} stroke={1.75} aria-hidden />}
                disabled={visit.isPending}
                onClick={() => visit.begin({ id, purpose: 'link' })}
              >
                {visit.isPending && visit.id === id ? `Opening ${name}...` : `Link ${name}`}
              </Button>
            )
          })}
        </div>
      )}
      <p className={look('problem', 'hiddenWhenEmpty')} role="alert">
        {visit.error && serverSentence(visit.error)}
      </p>
      {unlinked && <Unlink identity={unlinked} onClose={() => setUnlinked(undefined)} />}
    </div>
  )
}

function Unlink({ identity, onClose }: { identity: Identity; onClose: () => void }) {
  const utils = trpc.useUtils()
  const { name } = identity.provider
  const unlink = trpc.provider.unlink.useMutation({
    onSuccess: notifyDone(`${name} unlinked`, () => utils.provider.linked.invalidate()),
    onError: notifyFailure(`${name} is still linked`),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={() => unlink.mutate({ id: identity.id })}
      title={`Unlink ${name}`}
      confirmLabel="Unlink"
      pendingLabel="Unlinking..."
      isPending={unlink.isPending}
    >
      <p>
        You can no longer sign in with {identity.name} at {name}. You can link it again later.
      </p>
    </ConfirmDialog>
  )
}
