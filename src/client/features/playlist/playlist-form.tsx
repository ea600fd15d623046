import '@mantine/core/styles/Overlay.layer.css'
import '@mantine/core/styles/Paper.layer.css'
import '@mantine/core/styles/CloseButton.layer.css'
import '@mantine/core/styles/ModalBase.layer.css'
import '@mantine/core/styles/Modal.layer.css'
import '@mantine/core/styles/Input.layer.css'
import '@mantine/core/styles/InlineInput.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { Button, Modal, Switch, Textarea, TextInput } from '@mantine/core'
import { playlistDescriptionRule, playlistTitleRule } from '#shared/field-rules.ts'
import type { Playlist } from '#shared/library.schemas.ts'
import { PLAYLIST_TITLE_MAX } from '#shared/limits.ts'
import { notify } from '../../kit/notify.tsx'
import { serverSentence } from '../../lib/error-message.ts'
import { useForm } from '../../lib/use-form.ts'
import { useReturnFocus } from '../../lib/use-return-focus.ts'
import { trpc } from '../../trpc.ts'
import classes from './playlist-form.module.css'

type PlaylistFormProps = {
  /** The one to change; without it a new one is made. */
  playlist?: Playlist
  onClose: () => void
  onSaved?: (playlist: Playlist) => void
}

/** A dialog in which a playlist is named. */
export default function PlaylistForm({ playlist, onClose, onSaved }: PlaylistFormProps) {
  useReturnFocus()
  const utils = trpc.useUtils()
  const form = useForm(
    {
      title: playlist?.title ?? '',
      description: playlist?.description ?? '',
      isPublic: playlist?.isPublic ?? false,
    },
    { title: playlistTitleRule, description: playlistDescriptionRule },
  )
  const outcome = (title: string) => ({
    onSuccess: async (saved: Playlist) => {
      await utils.playlist.invalidate()
      notify({ title, message: saved.title })
      onClose()
      onSaved?.(saved)
    },
  })
  const create = trpc.playlist.create.useMutation(outcome('Playlist created'))
  const edit = trpc.playlist.edit.useMutation(outcome('Playlist saved'))
  const isPending = create.isPending || edit.isPending
  const error = create.error ?? edit.error
  return (
    <Modal
      opened
      onClose={onClose}
      title={playlist ? 'Edit playlist' : 'New playlist'}
      centered
      radius="lg"
      closeButtonProps={{ 'aria-label': 'Close', size: 44, iconSize: 20 }}
      classNames={{ title: classes.heading }}
    >
      <form
        className={classes.form}
        noValidate
        onSubmit={form.onSubmit((values) =>
          playlist ? edit.mutate({ id: playlist.id, ...values }) : create.mutate(values),
        )}
      >
        <TextInput
          name="title"
          label="Title"
          withAsterisk
          maxLength={PLAYLIST_TITLE_MAX}
          autoComplete="off"
          data-autofocus
          value={form.values.title}
          error={form.errors.title}
          onChange={(event) => form.set('title', event.currentTarget.value)}
        />
        <Textarea
          name="description"
          label="Description"
          rows={3}
          resize="vertical"
          value={form.values.description}
          error={form.errors.description}
          onChange={(event) => form.set('description', event.currentTarget.value)}
        />
        <Switch
          name="isPublic"
          size="md"
          color="volt"
          label="Public"
          description="Everybody may see it. Otherwise only you do."
          checked={form.values.isPublic}
          onChange={(event) => form.set('isPublic', event.currentTarget.checked)}
        />
        <p className={classes.problem} role="alert">
          {error && (serverSentence(error) || 'The playlist could not be saved.')}
        </p>
        <div className={classes.actions}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={isPending}>
            {submitLabel({ isNew: !playlist, isPending })}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function submitLabel({ isNew, isPending }: { isNew: boolean; isPending: boolean }): string {
  if (isNew) return isPending ? 'Creating...' : 'Create'
  return isPending ? 'Saving...' : 'Save Changes'
}
