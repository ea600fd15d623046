import '#client/kit/styles/mantine-pages.css'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { AskDialog } from '#client/kit/dialog/ask-dialog.tsx'
import { titleRule } from '#shared/field-rules.ts'
import { TITLE_MAX } from '#shared/limits.ts'
import { cutText } from '#shared/text/cut-text.ts'
import { formatTenths } from '#shared/text/format.ts'

const SUFFIX = ' (cut)'

type SaveNewDialogProps = {
  /** Title of the source video. */
  title: string
  length: number
  onSave: (title: string) => Promise<void>
  onClose: () => void
}

export function SaveNewDialog({ title: old, length, onSave, onClose }: SaveNewDialogProps) {
  const [title, setTitle] = useState(cutText(old, TITLE_MAX - SUFFIX.length) + SUFFIX)
  const problem = titleRule(title.trim())
  return (
    <AskDialog
      title="Save as a new video"
      confirmLabel="Save"
      pendingLabel="Starting..."
      isHeld={Boolean(problem)}
      onConfirm={() => onSave(title.trim())}
      onClose={onClose}
    >
      <TextInput
        label="Title"
        value={title}
        maxLength={TITLE_MAX}
        error={problem}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <p>It is {formatTenths(length)} long. This video stays as it is.</p>
    </AskDialog>
  )
}
