import '../../kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { look, stack } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { Panel } from '#client/kit/panel/panel.tsx'
import type { Webhook } from '#shared/schemas/desk/webhook.schemas.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { UnpluggedDrawing } from '../../kit/drawings/unplugged-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { EntryRowsSkeleton } from '../../kit/list/entry-row.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import { useDeskAction } from '../use-desk-action.ts'
import { WebhookEntry } from './webhook-entry.tsx'

const WebhookDialog = lazyPart(() => import('./webhook-dialog.tsx'))
const RenewDialog = lazyPart(() => import('./renew-dialog.tsx'))
const DeliveriesDialog = lazyPart(() => import('./deliveries-dialog.tsx'))
const PostsDialog = lazyPart(() => import('./posts-dialog.tsx'))

const REFRESH_MS = 15_000
const DOCS = 'https://www.standardwebhooks.com/'

type Opened = { webhook?: Webhook; as: 'edit' | 'renew' | 'log' | 'remove' }

export function Webhooks() {
  const found = trpc.webhook.list.useQuery(undefined, { refetchInterval: REFRESH_MS })
  const [opened, setOpened] = useState<Opened>()
  const { data } = found
  const close = () => setOpened(undefined)
  const open = (as: Opened['as']) => (webhook: Webhook) => setOpened({ webhook, as })
  return (
    <Panel
      title="Webhooks"
      about="Programs that are notified of events, and chats in which new videos are posted. Nothing is sent about videos that only some people can watch."
      action={
        data?.isAvailable && (
          <Button
            leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
            onClick={() => setOpened({ as: 'edit' })}
          >
            Add a webhook
          </Button>
        )
      }
    >
      {found.isPending && <EntryRowsSkeleton count={3} label="Loading webhooks" />}
      {found.isError && !data && (
        <LoadError
          text={`The webhooks could not be loaded: ${errorSentence(found.error)}`}
          error={found.error}
          onRetry={() => void found.refetch()}
        />
      )}
      {data && !data.isAvailable && (
        <p className={look('above16')} role="alert">
          Messages contain addresses of this site. Set PUBLIC_URL to its outside address, and start
          it again.
        </p>
      )}
      {data?.isAvailable && data.items.length === 0 && (
        <EmptyState drawing={<UnpluggedDrawing />} title="No webhooks yet" role="status">
          Post new videos in Discord, or notify a bot. Messages are signed as{' '}
          <a href={DOCS}>Standard Webhooks</a> specifies.
        </EmptyState>
      )}
      {data && data.items.length > 0 && (
        <ul className={stack(0)}>
          {data.items.map((webhook) => (
            <WebhookEntry
              key={webhook.id}
              webhook={webhook}
              onEdit={open('edit')}
              onRenew={open('renew')}
              onLog={open('log')}
              onRemove={open('remove')}
            />
          ))}
        </ul>
      )}
      <OpenedDialog opened={opened} onClose={close} />
    </Panel>
  )
}

function OpenedDialog({ opened, onClose }: { opened: Opened | undefined; onClose: () => void }) {
  if (!opened) return null
  const { webhook, as } = opened
  if (!webhook) return <WebhookDialog onClose={onClose} />
  if (as === 'edit') return <WebhookDialog webhook={webhook} onClose={onClose} />
  if (as === 'renew') return <RenewDialog webhook={webhook} onClose={onClose} />
  if (as === 'remove') return <RemoveWebhook webhook={webhook} onClose={onClose} />
  return webhook.format === 'discord' ? (
    <PostsDialog webhook={webhook} onClose={onClose} />
  ) : (
    <DeliveriesDialog webhook={webhook} onClose={onClose} />
  )
}

function RemoveWebhook({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { id, name, format } = webhook
  const action = useDeskAction('webhook', 'overview')
  const remove = trpc.webhook.remove.useMutation(action({ done: `${name} removed` }))
  return (
    <AskDialog
      title={`Remove ${name}?`}
      confirmLabel="Remove"
      pendingLabel="Removing..."
      isDanger
      onConfirm={() => remove.mutateAsync({ id })}
      onClose={onClose}
    >
      {format === 'discord'
        ? 'Its messages stay in the chat, and are no longer edited or deleted.'
        : 'It is told of nothing more, also not of what still waits. Its log is deleted.'}
    </AskDialog>
  )
}
