import '#client/kit/styles/mantine-pages.css'
import { TextInput } from '@mantine/core'
import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { EditConflicts } from '#client/kit/edit/edit-conflicts.tsx'
import { useEditForm } from '#client/kit/edit/use-edit-form.ts'
import { trpc } from '#client/trpc.ts'
import { titleRule } from '#shared/field-rules.ts'
import { TITLE_MAX } from '#shared/limits.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'

const LABELS = { title: 'Title' }

type RenameClipDialogProps = { clip: Pick<Clip, 'id' | 'title'>; onClose: () => void }

export default function RenameClipDialog({ clip, onClose }: RenameClipDialogProps) {
  const utils = trpc.useUtils()
  const form = useEditForm<Pick<Clip, 'title'>>({ saved: { title: clip.title }, labels: LABELS })
  const update = trpc.clip.update.useMutation({
    onSuccess: () => utils.clip.invalidate(),
    onError: form.noteConflicts,
  })
  const { isChanged } = form
  const problem = isChanged ? titleRule(form.values.title) : undefined
  return (
    <AskDialog
      title="Rename clip"
      confirmLabel="Save"
      pendingLabel="Saving..."
      isHeld={problem !== undefined || !isChanged}
      isDirty={isChanged}
      onConfirm={() => update.mutateAsync({ id: clip.id, ...form.edit() })}
      onClose={onClose}
    >
      <TextInput
        label="Title"
        data-autofocus
        maxLength={TITLE_MAX}
        name="title"
        {...form.getInputProps('title')}
        error={problem}
      />
      <EditConflicts form={form} />
    </AskDialog>
  )
}
