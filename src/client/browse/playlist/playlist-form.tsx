import '#client/kit/styles/mantine-pages.css'
import { Button, Textarea, TextInput } from '@mantine/core'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { EditConflicts } from '#client/kit/edit/edit-conflicts.tsx'
import { useEditForm } from '#client/kit/edit/use-edit-form.ts'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { NamedMembers, useNamedMembers } from '#client/kit/visibility/named-members.tsx'
import { VisibilityField } from '#client/kit/visibility/visibility-field.tsx'
import { fieldConflicts, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc, trpcClient } from '#client/trpc.ts'
import { playlistDescriptionRule, playlistTitleRule } from '#shared/field-rules.ts'
import { PLAYLIST_TITLE_MAX } from '#shared/limits.ts'
import type { Playlist } from '#shared/schemas/library.schemas.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'

const LABELS = {
  title: 'Title',
  description: 'Description',
  visibility: { label: 'Visibility', show: (level: Visibility) => VISIBILITY_WORDS[level].name },
}

type PlaylistFormProps = {
  /** Omitted to create one. */
  playlist?: Playlist
  onClose: () => void
  onSaved?: (playlist: Playlist) => void
}

export default function PlaylistForm({ playlist, onClose, onSaved }: PlaylistFormProps) {
  const utils = trpc.useUtils()
  const form = useEditForm<Pick<Playlist, keyof typeof LABELS>>({
    saved: {
      title: playlist?.title ?? '',
      description: playlist?.description ?? '',
      visibility: playlist?.visibility ?? ('private' as Visibility),
    },
    labels: LABELS,
    validate: { title: playlistTitleRule, description: playlistDescriptionRule },
  })
  const canName = playlist !== undefined && form.values.visibility === 'private'
  const found = trpc.playlist.namedMembers.useQuery({ id: playlist?.id ?? 0 }, { enabled: canName })
  const named = useNamedMembers(found.data)
  const outcome = (title: string) => ({
    onSuccess: async (saved: Playlist) => {
      if (named.isChanged && saved.visibility === 'private') {
        await trpcClient.playlist.setNamedMembers.mutate({ id: saved.id, ...named.edit() })
      }
      await utils.playlist.invalidate()
      notify({ title, message: saved.title })
      onClose()
      onSaved?.(saved)
    },
  })
  const create = trpc.playlist.create.useMutation(outcome('Playlist created'))
  const edit = trpc.playlist.edit.useMutation({
    ...outcome('Playlist saved'),
    onError: form.noteConflicts,
  })
  const isPending = create.isPending || edit.isPending
  const error = create.error ?? edit.error
  return (
    <Dialog onClose={onClose} title={playlist ? 'Edit playlist' : 'New playlist'}>
      <form
        className={stack(16)}
        noValidate
        onSubmit={form.onSubmit((values) =>
          playlist ? edit.mutate({ id: playlist.id, ...form.edit() }) : create.mutate(values),
        )}
      >
        <TextInput
          name="title"
          label="Title"
          withAsterisk
          maxLength={PLAYLIST_TITLE_MAX}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('title')}
        />
        <Textarea
          name="description"
          label="Description"
          rows={3}
          resize="vertical"
          {...form.getInputProps('description')}
        />
        <VisibilityField
          value={form.values.visibility}
          onChange={(visibility) => form.setFieldValue('visibility', visibility)}
        />
        {canName && found.data && <NamedMembers named={named} ownId={playlist.userId} />}
        <EditConflicts form={form} />
        <p className={look('problem')} role="alert">
          {error &&
            !fieldConflicts(error) &&
            (serverSentence(error) || 'The playlist could not be saved.')}
        </p>
        <div className={row(12, 'end', 'stretch')}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={isPending}>
            {submitLabel({ isNew: !playlist, isPending })}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function submitLabel({ isNew, isPending }: { isNew: boolean; isPending: boolean }): string {
  if (isNew) return isPending ? 'Creating...' : 'Create'
  return isPending ? 'Saving...' : 'Save Changes'
}
