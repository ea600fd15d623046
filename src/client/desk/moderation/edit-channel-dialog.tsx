import '#client/kit/styles/mantine-pages.css'
import { Checkbox, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { User } from '#shared/schemas/user.schemas.ts'
import { AskDialog, REASON_LABEL } from '../../kit/dialog/ask-dialog.tsx'
import styles from './moderation.module.css'
import type { AdminActions } from './use-admin-actions.ts'

type EditChannelDialogProps = {
  channel: User
  actions: AdminActions
  presets: readonly string[]
  onClose: () => void
}

/** Changes what a member's channel says and shows, with a reason that they get. */
export function EditChannelDialog({ channel, actions, presets, onClose }: EditChannelDialogProps) {
  const { id: userId, avatarUrl, bannerUrl } = channel
  const [displayName, setDisplayName] = useState(channel.displayName)
  const [bio, setBio] = useState(channel.bio ?? '')
  const [removesAvatar, setRemovesAvatar] = useState(false)
  const [removesBanner, setRemovesBanner] = useState(false)
  const change = { displayName, bio, removesAvatar, removesBanner }
  const isDirty =
    displayName !== channel.displayName ||
    bio !== (channel.bio ?? '') ||
    removesAvatar ||
    removesBanner
  return (
    <AskDialog
      title={`Edit the channel of ${channel.displayName}`}
      confirmLabel="Save"
      pendingLabel="Saving..."
      reasonLabel={REASON_LABEL}
      isDirty={isDirty}
      presets={presets}
      onConfirm={(reason) => actions.editChannel({ userId, ...change, reason })}
      onClose={onClose}
    >
      <div className={styles.fields}>
        <TextInput
          label="Display name"
          data-autofocus
          autoComplete="off"
          value={displayName}
          onChange={(event) => setDisplayName(event.currentTarget.value)}
        />
        <Textarea
          label="Bio"
          rows={3}
          resize="vertical"
          value={bio}
          onChange={(event) => setBio(event.currentTarget.value)}
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
      </div>
    </AskDialog>
  )
}
