import { IconFlag, IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { ConfirmDialog } from '#client/kit/dialog/confirm-dialog.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { RowMenu } from '#client/kit/menu/row-menu.tsx'
import type { RowMenuItem } from '#client/kit/menu/row-menu-item.tsx'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { usePostRefresh } from './use-post-refresh.ts'

const AdminItems = lazyPart(() => import('#client/kit/admin/admin-items.tsx'))
const ReportDialog = lazyPart(() => import('../report/report-dialog.tsx'))

type PostActionsProps = { post: Post; viewer: OwnUser | null; onEdit: () => void }

export function PostActions({ post, viewer, onEdit }: PostActionsProps) {
  const [asked, setAsked] = useState<'delete' | 'report'>()
  if (!viewer) return null
  const items: RowMenuItem[] =
    viewer.id === post.channelId
      ? [
          { label: 'Edit', Icon: IconPencil, onPress: onEdit },
          {
            ...{ label: 'Delete', Icon: IconTrash, isDanger: true },
            onPress: () => setAsked('delete'),
          },
        ]
      : [{ label: 'Report', Icon: IconFlag, onPress: () => setAsked('report') }]
  const close = () => setAsked(undefined)
  return (
    <>
      <RowMenu
        label={`Actions for the post by ${post.user.displayName}`}
        variant="subtle"
        items={items}
        {...(viewer.isAdmin && {
          renderMore: (onChoose) => (
            <AdminItems subject={{ post }} viewerId={viewer.id} onChoose={onChoose} />
          ),
        })}
      />
      {asked === 'delete' && <DeletePost post={post} onClose={close} />}
      {asked === 'report' && (
        <ReportDialog target={{ postId: post.id }} noun="post" onClose={close} />
      )}
    </>
  )
}

type DeletePostProps = { post: Post; onClose: () => void }

function DeletePost({ post, onClose }: DeletePostProps) {
  const refresh = usePostRefresh()
  const remove = trpc.post.delete.useMutation({
    onSuccess: async () => {
      notify({ title: 'Post deleted' })
      onClose()
      await refresh()
    },
    onError: (error) => {
      notify({ tone: 'error', title: 'Error', message: errorSentence(error) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Delete this post?"
      confirmLabel="Delete"
      pendingLabel="Deleting..."
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ id: post.id })}
      onClose={onClose}
    >
      {post.commentCount > 0 && 'The comments on it go with it. '}
      It cannot be brought back.
    </ConfirmDialog>
  )
}
