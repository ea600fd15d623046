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
import type { PostContext } from './post-context.ts'

const AdminItems = lazyPart(() => import('#client/kit/admin/admin-items.tsx'))
const ReportDialog = lazyPart(() => import('../report/report-dialog.tsx'))

type PostActionsProps = { post: Post; context: PostContext; onEdit: () => void }

/** What can be done with a post, or a comment on one, now and then. */
export function PostActions({ post, context, onEdit }: PostActionsProps) {
  const [asked, setAsked] = useState<'delete' | 'report'>()
  const { viewer } = context
  if (!viewer) return null
  const noun = post.parentId === null ? 'post' : 'comment'
  const isOwn = viewer.id === post.userId
  const items: RowMenuItem[] = []
  if (isOwn) items.push({ label: 'Edit', Icon: IconPencil, onPress: onEdit })
  else items.push({ label: 'Report', Icon: IconFlag, onPress: () => setAsked('report') })
  if (isOwn || viewer.id === post.channelId) {
    const onPress = () => setAsked('delete')
    items.push({ label: 'Delete', Icon: IconTrash, onPress, isDanger: true })
  }
  const close = () => setAsked(undefined)
  const name = post.user?.displayName ?? 'a deleted user'
  return (
    <>
      <RowMenu
        label={`Actions for the ${noun} by ${name}`}
        variant="subtle"
        items={items}
        {...(viewer.isAdmin && {
          renderMore: (onChoose) => (
            <AdminItems subject={{ post }} viewerId={viewer.id} onChoose={onChoose} />
          ),
        })}
      />
      {asked === 'delete' && <DeletePost post={post} noun={noun} onClose={close} />}
      {asked === 'report' && (
        <ReportDialog target={{ postId: post.id }} noun={noun} onClose={close} />
      )}
    </>
  )
}

type DeletePostProps = { post: Post; noun: string; onClose: () => void }

function DeletePost({ post, noun, onClose }: DeletePostProps) {
  const utils = trpc.useUtils()
  const remove = trpc.post.delete.useMutation({
    onSuccess: async () => {
      notify({ title: noun === 'post' ? 'Post deleted' : 'Comment deleted' })
      onClose()
      await utils.post.invalidate()
    },
    onError: (error) => {
      notify({ tone: 'error', title: 'Error', message: errorSentence(error) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Delete this ${noun}?`}
      confirmLabel="Delete"
      pendingLabel="Deleting..."
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ id: post.id })}
      onClose={onClose}
    >
      {post.commentCount > 0 &&
        (noun === 'post' ? 'The comments on it go with it. ' : 'Its replies go with it. ')}
      It cannot be brought back.
    </ConfirmDialog>
  )
}
