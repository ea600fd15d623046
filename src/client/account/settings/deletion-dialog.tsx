import '#client/kit/styles/mantine-pages.css'
import { Radio } from '@mantine/core'
import { useState } from 'react'
import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { look, stack } from '#client/kit/layout/layout.ts'
import { trpc } from '#client/trpc.ts'
import { DELETION_DAYS } from '#shared/limits.ts'

export type Days = 0 | typeof DELETION_DAYS

const TERMS = [
  {
    days: DELETION_DAYS,
    label: `In ${DELETION_DAYS} days`,
    text: 'You are logged out everywhere, and your channel stays as it is. Sign in before then to keep the account.',
  },
  { days: 0, label: 'Now', text: 'Everything is deleted at once. This cannot be undone.' },
] as const

type DeletionDialogProps = { onDeleted: (days: Days) => Promise<void>; onClose: () => void }

/** `confirmLink` asks for the password when the server requires it. */
export default function DeletionDialog({ onDeleted, onClose }: DeletionDialogProps) {
  const [days, setDays] = useState<Days>(DELETION_DAYS)
  const remove = trpc.settings.deleteAccount.useMutation({ onSuccess: () => onDeleted(days) })
  return (
    <AskDialog
      title="Delete my account"
      confirmLabel={days === 0 ? 'Delete for good' : `Delete in ${days} days`}
      pendingLabel="Deleting..."
      isDanger
      onConfirm={() => remove.mutateAsync({ inDays: days })}
      onClose={onClose}
    >
      <div className={stack(16)}>
        <p>
          Your channel, videos, playlists, history, likes and subscriptions are deleted. Your
          comments on other people's videos stay, as those of a deleted user.
        </p>
        <Radio.Group
          className={look('textColor')}
          label="When"
          value={`${days}`}
          onChange={(value) => setDays(value === '0' ? 0 : DELETION_DAYS)}
        >
          <div className={stack(12, 'above8')}>
            {TERMS.map((term) => (
              <Radio
                key={term.days}
                value={`${term.days}`}
                label={term.label}
                description={term.text}
              />
            ))}
          </div>
        </Radio.Group>
      </div>
    </AskDialog>
  )
}
