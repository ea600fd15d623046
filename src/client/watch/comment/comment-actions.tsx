import { IconFlag, IconPencil, IconTrash } from '@tabler/icons-react'
import { type Ref, useState } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { RowMenu } from '#client/kit/menu/row-menu.tsx'
import type { RowMenuItem } from '#client/kit/menu/row-menu-item.tsx'
import type { Comment } from '#shared/schemas/comment.schemas.ts'
import type { OwnUser } from '#shared/schemas/user.schemas.ts'
import { useOwnerItems } from './use-owner-items.ts'

const AdminItems = lazyPart(() => import('#client/kit/admin/admin-items.tsx'))
const DeleteCommentDialog = lazyPart(() => import('./delete-comment-dialog.tsx'))
const ReportDialog = lazyPart(() => import('../report/report-dialog.tsx'))

type CommentActionsProps = {
  comment: Comment
  viewer: OwnUser
  /** May pin, heart and delete comments. */
  ownsSubject: boolean
  onEdit: () => void
  openerRef: Ref<HTMLButtonElement>
}

export default function CommentActions(props: CommentActionsProps) {
  const { comment, viewer, ownsSubject } = props
  const [asked, setAsked] = useState<'delete' | 'report'>()
  const ownerItems = useOwnerItems(comment)
  const isOwn = viewer.id === comment.userId
  const items: RowMenuItem[] = ownsSubject ? ownerItems : []
  if (isOwn) items.push({ label: 'Edit', Icon: IconPencil, onPress: props.onEdit })
  else items.push({ label: 'Report', Icon: IconFlag, onPress: () => setAsked('report') })
  if (isOwn || ownsSubject) {
    const onPress = () => setAsked('delete')
    items.push({ label: 'Delete', Icon: IconTrash, onPress, isDanger: true })
  }
  const close = () => setAsked(undefined)
  return (
    <>
      <RowMenu
        label={`Actions for the comment by ${comment.user?.displayName ?? 'a deleted user'}`}
        variant="subtle"
        items={items}
        openerRef={props.openerRef}
        {...(viewer.isAdmin && {
          renderMore: (onChoose) => (
            <AdminItems subject={{ comment }} viewerId={viewer.id} onChoose={onChoose} />
          ),
        })}
      />
      {asked === 'delete' && <DeleteCommentDialog comment={comment} onClose={close} />}
      {asked === 'report' && (
        <ReportDialog target={{ commentId: comment.id }} noun="comment" onClose={close} />
      )}
    </>
  )
}
