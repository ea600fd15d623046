import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { look } from '#client/kit/layout/layout.ts'
import { Picture } from '#client/kit/video/picture.tsx'
import { errorMessage } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { posterOf } from '#shared/poster.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { formatViews } from '#shared/text/format.ts'
import { StudioPublishedAt } from '../list/published-at.tsx'
import classes from './delete-video-dialog.module.css'

export default function DeleteVideoDialog(props: { video: Video; onClose: () => void }) {
  const { video, onClose } = props
  const utils = trpc.useUtils()
  const remove = trpc.video.delete.useMutation({
    async onSuccess() {
      onClose()
      notify({
        title: 'Video deleted',
        message: 'The video has been removed from your channel.',
      })
      await Promise.all([utils.video.invalidate(), utils.search.invalidate()])
    },
    onError: (error) =>
      notify({ tone: 'error', title: 'Failed to delete video', message: errorMessage(error) }),
  })
  return (
    <ConfirmDialog
      onClose={onClose}
      onConfirm={() => remove.mutate({ id: video.id })}
      title="Delete Video"
      confirmLabel="Delete Video"
      pendingLabel="Deleting..."
      isPending={remove.isPending}
    >
      <p>
        Are you sure you want to delete this video? This action cannot be undone. Its clips go with
        it.
      </p>
      <div className={classes.video}>
        <Picture {...posterOf(video)} sizes="160px" />
        <div className={look('shrink')}>
          <p className={look('strong', 'breakWords', 'textColor', 'tightLines')}>{video.title}</p>
          <p className={look('above4', 'size13')}>
            {formatViews(video.viewCount)} · <StudioPublishedAt time={video.publishedAt} />
          </p>
        </div>
      </div>
    </ConfirmDialog>
  )
}
