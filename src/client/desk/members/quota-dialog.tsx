import '../../kit/styles/mantine-pages.css'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Member } from '#shared/schemas/desk/member.schemas.ts'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { notify } from '../../platform/notify.tsx'
import { trpc } from '../../trpc.ts'

const GB = 1024 ** 3

/** How much a member may store. */
export function QuotaDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const utils = trpc.useUtils()
  const [text, setText] = useState(
    member.quotaBytes === null ? '' : String(Math.round((member.quotaBytes / GB) * 100) / 100),
  )
  const save = trpc.member.setQuota.useMutation({
    onSuccess: async () => {
      notify({ title: 'Quota saved' })
      await utils.member.invalidate()
    },
  })
  const confirm = async () => {
    const gigabytes = Number(text.replace(',', '.'))
    if (text.trim() !== '' && !(gigabytes >= 0)) throw new Error('Please enter a number of GB.')
    const quotaBytes = text.trim() === '' ? null : Math.round(gigabytes * GB)
    await save.mutateAsync({ userId: member.id, quotaBytes })
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
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </AskDialog>
  )
}
