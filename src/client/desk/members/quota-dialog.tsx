import '../../kit/styles/mantine-pages.css'
import { TextInput } from '@mantine/core'
import type { Member } from '#shared/schemas/desk/member.schemas.ts'
import { formatBytes } from '#shared/text/format.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { EditConflicts } from '../../kit/edit/edit-conflicts.tsx'
import { type FieldLabels, useEditForm } from '../../kit/edit/use-edit-form.ts'
import { trpc } from '../../trpc.ts'
import { useDeskAction } from '../use-desk-action.ts'

const GB = 1024 ** 3

type Quota = Pick<Member, 'quotaBytes'>

const LABELS: FieldLabels<Quota> = {
  quotaBytes: {
    label: 'Quota',
    show: (bytes) => (bytes === null ? 'Site default' : formatBytes(bytes)),
  },
}

const inGigabytes = (bytes: number) => String(Math.round((bytes / GB) * 100) / 100)

/** Null for an empty text, NaN for one that is no number. */
function toBytes(text: string): number | null {
  if (text.trim() === '') return null
  const gigabytes = Number(text.replace(',', '.'))
  return gigabytes >= 0 ? Math.round(gigabytes * GB) : Number.NaN
}

export function QuotaDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const action = useDeskAction('member')
  const form = useEditForm<Quota, { quotaBytes: string }>({
    saved: { quotaBytes: member.quotaBytes },
    labels: LABELS,
    toValues: ({ quotaBytes }) => ({
      quotaBytes: quotaBytes === null ? '' : inGigabytes(quotaBytes),
    }),
    toFields: ({ quotaBytes }) => ({ quotaBytes: toBytes(quotaBytes) }),
  })
  const save = trpc.member.setQuota.useMutation({
    ...action({ done: 'Quota saved' }),
    onError: form.noteConflicts,
  })
  const confirm = async () => {
    const { quotaBytes, was } = form.edit()
    if (quotaBytes === undefined) return
    if (Number.isNaN(quotaBytes)) throw new Error('Please enter a number of GB.')
    await save.mutateAsync({ userId: member.id, quotaBytes, was })
  }
  return (
    <AskDialog
      title={`Quota of ${member.displayName}`}
      confirmLabel="Save"
      pendingLabel="Saving..."
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label="Quota in GB (empty: the site's own)"
        inputMode="decimal"
        name="quotaBytes"
        {...form.getInputProps('quotaBytes')}
      />
      <EditConflicts form={form} />
    </AskDialog>
  )
}
