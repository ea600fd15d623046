import '#client/kit/styles/mantine-pages.css'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { trpc } from '#client/trpc.ts'
import { titleRule } from '#shared/field-rules.ts'
import { TITLE_MAX } from '#shared/limits.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'

type RenameClipDialogProps = { clip: Pick<Clip, 'id' | 'title'>; onClose: () => void }

/** Gives a clip another title. */
export default function RenameClipDialog({ clip, onClose }: RenameClipDialogProps) {
  const utils = trpc.useUtils()
  const [title, setTitle] = useState(clip.title)
  const update = trpc.clip.update.useMutation({ onSuccess: () => utils.clip.invalidate() })
  const isDirty = title !== clip.title
  const problem = isDirty ? titleRule(title) : undefined
  return (
    <AskDialog
      title="Rename clip"
      confirmLabel="Save"
      pendingLabel="Saving..."
      isHeld={problem !== undefined || !isDirty}
      isDirty={isDirty}
      onConfirm={() => update.mutateAsync({ id: clip.id, title })}
      onClose={onClose}
    >
      <TextInput
        label="Title"
        data-autofocus
        maxLength={TITLE_MAX}
        value={title}
        error={problem}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
    </AskDialog>
  )
}
