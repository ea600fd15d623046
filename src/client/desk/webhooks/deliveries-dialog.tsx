import type { Delivery, Webhook } from '#shared/schemas/desk/webhook.schemas.ts'
import { countOf } from '#shared/text/format.ts'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'
import { useDeskAction } from '../use-desk-action.ts'
import { LogDialog, LogEntry } from './log-dialog.tsx'
import { EVENTS, outcomeOf } from './webhook-words.ts'

const REFRESH_MS = 5000
const LABELS: Record<Delivery['state'], string> = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Given up',
  dropped: 'Dropped',
}
/** The colours of `StateLabel`. */
const TONES = { waiting: 'queued', delivered: 'done', failed: 'failed', dropped: 'dismissed' }

type DeliveriesDialogProps = { webhook: Webhook; onClose: () => void }

export default function DeliveriesDialog({ webhook, onClose }: DeliveriesDialogProps) {
  const { id, name } = webhook
  const log = trpc.webhook.deliveries.useQuery({ id }, { refetchInterval: REFRESH_MS })
  const action = useDeskAction('webhook')
  const again = trpc.webhook.sendAgain.useMutation(
    action({ done: 'It is sent again', failed: 'Not sent again' }),
  )
  return (
    <LogDialog
      title={`Deliveries to ${name}`}
      log={log}
      empty="Nothing was sent in the last seven days."
      onClose={onClose}
    >
      {(delivery) => (
        <DeliveryEntry
          key={delivery.id}
          delivery={delivery}
          isPending={again.isPending}
          onAgain={() => again.mutate({ deliveryId: delivery.id })}
        />
      )}
    </LogDialog>
  )
}

type DeliveryEntryProps = { delivery: Delivery; isPending: boolean; onAgain: () => void }

function DeliveryEntry({ delivery, isPending, onAgain }: DeliveryEntryProps) {
  const { kind, state, createdAt, nextAt, attempts, attemptedAt, answer, lastError } = delivery
  const isTest = kind === 'test'
  const isOver = state === 'failed' || state === 'delivered'
  return (
    <LogEntry
      state={TONES[state]}
      label={LABELS[state]}
      title={isTest ? 'Test' : (EVENTS[kind as keyof typeof EVENTS] ?? kind)}
      createdAt={createdAt}
      nextAt={nextAt}
      facts={
        attemptedAt !== null &&
        ` · ${outcomeOf(delivery)}${attempts > 1 ? ` · ${countOf(attempts, 'attempt')}` : ''}`
      }
      problem={lastError ?? (state === 'dropped' ? 'Not everybody can see it any more.' : null)}
      again={isOver && !isTest ? { label: 'Send again', isPending, onPress: onAgain } : undefined}
    >
      {answer && <pre className={classes.log}>{answer}</pre>}
    </LogEntry>
  )
}
