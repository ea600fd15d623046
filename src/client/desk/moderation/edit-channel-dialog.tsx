import { stack } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { User } from '#shared/schemas/user.schemas.ts'
import { AskDialog, REASON_LABEL } from '../../kit/dialog/ask-dialog.tsx'
import { EditConflicts } from '../../kit/edit/edit-conflicts.tsx'
import { useEditForm } from '../../kit/edit/use-edit-form.ts'
import type { AdminActions } from './use-admin-actions.ts'

type EditChannelDialogProps = {
  channel: User
  actions: AdminActions
  presets: readonly string[]
  onClose: () => void
}

type ChannelTexts = Pick<User, 'displayName' | 'bio'>

const LABELS = { displayName: 'Display name', bio: 'Bio' }

/** The member gets the reason. */
export function EditChannelDialog({ channel, actions, presets, onClose }: EditChannelDialogProps) {
  const { id: userId, avatarUrl, bannerUrl } = channel
  const form = useEditForm<ChannelTexts, { displayName: string; bio: string }>({
    saved: { displayName: channel.displayName, bio: channel.bio },
    labels: LABELS,
    toValues: ({ displayName, bio }) => ({ displayName, bio: bio ?? '' }),
    toFields: (values) => values,
  })
  const [removesAvatar, setRemovesAvatar] = useState(false)
  const [removesBanner, setRemovesBanner] = useState(false)
  const save = (reason: string) => {
    const { bio, ...edit } = form.edit()
    const change = { ...edit, ...(bio !== undefined && { bio: bio ?? '' }) }
    return actions
      .editChannel({ userId, ...change, removesAvatar, removesBanner, reason })
      .catch((error) => {
        form.noteConflicts(error)
        throw error
      })
  }
  return (
    <AskDialog
      title={`Edit the channel of ${channel.displayName}`}
      confirmLabel="Save"
      pendingLabel="Saving..."
      reasonLabel={REASON_LABEL}
      isDirty={form.isChanged || removesAvatar || removesBanner}
      presets={presets}
      onConfirm={save}
      onClose={onClose}
    >
      <div className={stack(12, 'textColor')}>
        <TextInput
          label="Display name"
          data-autofocus
          autoComplete="off"
          name="displayName"
          {...form.getInputProps('displayName')}
        />
        <Textarea
          label="Bio"
          rows={3}
          resize="vertical"
          name="bio"
          {...form.getInputProps('bio')}
        />
        {avatarUrl && (
          <Checkbox
            label="Remove the avatar"
            checked={removesAvatar}
            onChange={(event) => setRemovesAvatar(event.currentTarget.checked)}
          />
        )}
        {bannerUrl && (
          <Checkbox
            label="Remove the banner"
            checked={removesBanner}
            onChange={(event) => setRemovesBanner(event.currentTarget.checked)}
          />
        )}
        <EditConflicts form={form} />
      </div>
    </AskDialog>
  )
}
