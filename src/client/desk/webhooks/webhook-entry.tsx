import { Button } from '@mantine/core'
import {
  IconBrandDiscord,
  IconKey,
  IconListDetails,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconTrash,
  IconWebhook,
} from '@tabler/icons-react'
import { look, row } from '#client/kit/layout/layout.ts'
import type { Webhook } from '#shared/schemas/desk/webhook.schemas.ts'
import { countOf } from '#shared/text/format.ts'
import { EntryRow } from '../../kit/list/entry-row.tsx'
import { RowMenu } from '../../kit/menu/row-menu.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { notify } from '../../platform/notify.tsx'
import { notifyFailure } from '../../platform/notify-outcome.ts'
import { trpc } from '../../trpc.ts'
import { useDeskAction } from '../use-desk-action.ts'
import { hostOf, outcomeOf, placeOf } from './webhook-words.ts'

type WebhookEntryProps = { webhook: Webhook } & Record<
  'onEdit' | 'onRenew' | 'onLog' | 'onRemove',
  (webhook: Webhook) => void
>

export function WebhookEntry(props: WebhookEntryProps) {
  const { webhook, onEdit, onRenew, onLog, onRemove } = props
  const { id, name, format, isActive, pausedAt } = webhook
  const isChat = format === 'discord'
  const isPaused = isActive && pausedAt !== null
  const action = useDeskAction('webhook', 'overview')
  const test = useTest(webhook)
  const edit = trpc.webhook.edit.useMutation(
    action({
      done: isPaused ? `${name} resumed` : isActive ? `${name} turned off` : `${name} turned on`,
      failed: 'Not changed',
    }),
  )
  const set = (active: boolean) => edit.mutate({ id, isActive: active })
  return (
    <EntryRow
      icon={isChat ? IconBrandDiscord : IconWebhook}
      name={name}
      tag={isPaused ? 'Paused' : !isActive && 'Off'}
      tone={isPaused ? 'wrong' : undefined}
      facts={<Facts webhook={webhook} />}
      action={
        <div className={row(8)}>
          {isPaused && (
            <Button disabled={edit.isPending} onClick={() => set(true)}>
              Resume
            </Button>
          )}
          <RowMenu
            label={`Actions for ${name}`}
            items={[
              {
                label: isChat ? 'Posts' : 'Deliveries',
                Icon: IconListDetails,
                onPress: () => onLog(webhook),
              },
              { label: 'Send a test', Icon: IconSend, onPress: () => test.mutate({ id }) },
              { label: 'Edit', Icon: IconPencil, onPress: () => onEdit(webhook) },
              ...(isChat
                ? []
                : [{ label: 'New secret', Icon: IconKey, onPress: () => onRenew(webhook) }]),
              isActive
                ? { label: 'Turn off', Icon: IconPlayerPause, onPress: () => set(false) }
                : { label: 'Turn on', Icon: IconPlayerPlay, onPress: () => set(true) },
              {
                label: 'Remove',
                Icon: IconTrash,
                isDanger: true,
                onPress: () => onRemove(webhook),
              },
            ]}
          />
        </div>
      }
    />
  )
}

function useTest({ name }: Webhook) {
  const utils = trpc.useUtils()
  return trpc.webhook.sendTest.useMutation({
    async onSuccess(sent) {
      const { state, lastError } = sent
      if (state === 'delivered') {
        notify({ title: `The test arrived at ${name}`, message: outcomeOf(sent) })
      } else {
        notify({
          ...{ tone: 'error', title: `The test did not arrive at ${name}` },
          ...(lastError && { message: lastError }),
        })
      }
      await utils.webhook.deliveries.invalidate()
    },
    onError: notifyFailure('The test was not sent'),
  })
}

function Facts({ webhook }: { webhook: Webhook }) {
  const { format, address, kinds, waiting, lastError, pausedAt, isActive } = webhook
  return (
    <>
      {hostOf(address)} · {format === 'discord' ? placeOf(webhook) : countOf(kinds.length, 'event')}
      {waiting > 0 && ` · ${countOf(waiting, 'message')} to send`}
      {isActive && pausedAt !== null && (
        <>
          {' '}
          · paused <TimeAgo time={pausedAt} />
        </>
      )}
      {lastError && <span className={look('block', 'errorColor', 'breakWords')}>{lastError}</span>}
    </>
  )
}
