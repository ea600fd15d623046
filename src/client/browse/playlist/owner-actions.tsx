import { Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { notify } from '#client/platform/notify.tsx'
import { notifyFailure } from '#client/platform/notify-outcome.ts'
import { trpc } from '#client/trpc.ts'
import type { Playlist } from '#shared/schemas/library.schemas.ts'

const PlaylistForm = lazyPart(() => import('./playlist-form.tsx'))

export function OwnerActions({ playlist }: { playlist: Playlist }) {
  const [dialog, setDialog] = useState<'edit' | 'delete'>()
  const navigate = useNavigate()
  const utils = trpc.useUtils()
  const close = () => setDialog(undefined)
  const remove = trpc.playlist.delete.useMutation({
    onSuccess: async () => {
      await navigate({ to: '/library' })
      notify({ title: 'Playlist deleted', message: playlist.title })
      await utils.playlist.listOwn.invalidate()
    },
    onError: notifyFailure('The playlist could not be deleted'),
  })
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconPencil size={18} stroke={1.75} aria-hidden />}
        onClick={() => setDialog('edit')}
      >
        Edit
      </Button>
      <Button
        variant="outline"
        color="pulse"
        leftSection={<IconTrash size={18} stroke={1.75} aria-hidden />}
        onClick={() => setDialog('delete')}
      >
        Delete
      </Button>
      {dialog === 'edit' && <PlaylistForm playlist={playlist} onClose={close} />}
      {dialog === 'delete' && (
        <ConfirmDialog
          onClose={close}
          onConfirm={() => remove.mutate({ id: playlist.id })}
          title="Delete playlist"
          confirmLabel="Delete playlist"
          pendingLabel="Deleting..."
          isPending={remove.isPending}
        >
          "{playlist.title}" is deleted; the videos in it stay where they are. This cannot be
          undone.
        </ConfirmDialog>
      )}
    </>
  )
}
