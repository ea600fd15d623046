import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { CopyField } from '#client/kit/control/copy-field.tsx'
import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { look, stack, wrapped } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { Panel } from '#client/kit/panel/panel.tsx'
import type { Provider } from '#shared/schemas/provider.schemas.ts'
import { countOf } from '#shared/text/format.ts'
import { Disclosure } from '../../kit/control/disclosure.tsx'
import { EntryRow, EntryRowsSkeleton } from '../../kit/list/entry-row.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { iconOf } from '../../kit/provider-icon.ts'
import { notifyDone } from '../../platform/notify-outcome.ts'
import { trpc } from '../../trpc.ts'

const ProviderDialog = lazyPart(() => import('./provider-dialog.tsx'))

export function IdentityProviders() {
  const providers = trpc.provider.list.useQuery()
  const [isAdding, setAdding] = useState(false)
  const [edited, setEdited] = useState<Provider>()
  const [removed, setRemoved] = useState<Provider>()
  return (
    <Panel
      id="providers"
      title="Identity providers"
      about="Members sign in with an account that they have elsewhere, such as Authentik, Keycloak, Google or Discord."
      action={
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          Add a provider
        </Button>
      }
    >
      {providers.isPending && <EntryRowsSkeleton count={1} label="Loading providers" />}
      {providers.isError && !providers.data && (
        <LoadError error={providers.error} onRetry={() => void providers.refetch()} />
      )}
      {providers.data?.length === 0 && (
        <p className={look('muted', 'above16')}>There are none yet.</p>
      )}
      {providers.data && providers.data.length > 0 && (
        <ul className={stack(0)}>
          {providers.data.map((provider) => (
            <ProviderEntry
              key={provider.id}
              provider={provider}
              onEdit={() => setEdited(provider)}
              onRemove={() => setRemoved(provider)}
            />
          ))}
        </ul>
      )}
      {isAdding && <ProviderDialog onClose={() => setAdding(false)} />}
      {edited && <ProviderDialog provider={edited} onClose={() => setEdited(undefined)} />}
      {removed && <RemoveProvider provider={removed} onClose={() => setRemoved(undefined)} />}
    </Panel>
  )
}

type ProviderEntryProps = { provider: Provider; onEdit: () => void; onRemove: () => void }

function ProviderEntry({ provider, onEdit, onRemove }: ProviderEntryProps) {
  const { name, kind, source, issuer, memberCount, callbackUrl, logoutUrl } = provider
  return (
    <>
      <EntryRow
        icon={iconOf(provider)}
        name={name}
        tag={source === 'environment' && 'Set by variables'}
        facts={`${URL.parse(issuer)?.host ?? issuer} · ${countOf(memberCount, 'member')}`}
        action={
          <div className={wrapped(8, 'end')}>
            <Button variant="default" aria-label={`Edit ${name}`} onClick={onEdit}>
              Edit
            </Button>
            {source === 'desk' && (
              <Button
                variant="outline"
                color="pulse"
                aria-label={`Remove ${name}`}
                onClick={onRemove}
              >
                Remove
              </Button>
            )}
          </div>
        }
      />
      <li>
        <Disclosure label={`Addresses for ${name}`} isLazy>
          <div className={stack(12, 'below16')}>
            <CopyField
              label="Callback address"
              text={callbackUrl}
              message="Callback address copied to clipboard."
            />
            {kind === 'oidc' && (
              <CopyField
                label="Back-channel logout address"
                text={logoutUrl}
                message="Logout address copied to clipboard."
              />
            )}
          </div>
        </Disclosure>
      </li>
    </>
  )
}

function RemoveProvider({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const utils = trpc.useUtils()
  const { id, name, memberCount, onlyWayCount } = provider
  const remove = trpc.provider.remove.useMutation({
    onSuccess: notifyDone(`${name} removed`, async () => {
      await Promise.all([utils.provider.list.invalidate(), utils.signIn.ways.invalidate()])
    }),
  })
  return (
    <AskDialog
      title={`Remove ${name}?`}
      confirmLabel="Remove"
      pendingLabel="Removing..."
      isDanger
      onConfirm={() => remove.mutateAsync({ id })}
      onClose={onClose}
    >
      <p>
        {memberCount === 0
          ? 'No member has linked it.'
          : `${countOf(memberCount, 'member')} can no longer sign in with it, and the links are deleted.`}
      </p>
      {onlyWayCount > 0 && (
        <p className={look('above12', 'textColor')}>
          {countOf(onlyWayCount, 'member')} of them have no other way to sign in. They need a link
          for a new password from you.
        </p>
      )}
    </AskDialog>
  )
}
