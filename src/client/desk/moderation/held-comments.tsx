import { Button } from '@mantine/core'
import { IconBan, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { stack, textStyles } from '#client/kit/layout/layout.ts'
import { LostDrawing } from '../../kit/drawings/lost-drawing.tsx'
import { RowMenu } from '../../kit/menu/row-menu.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { requestAdminAction } from '../../platform/admin-request.ts'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'
import { FilterBox } from '../filter-box.tsx'
import { ListFrame, nextPage } from '../list-frame.tsx'
import { useAddress } from '../use-address.ts'
import { HeldPosts } from './held-posts.tsx'
import { MemberSubject } from './subject.tsx'
import { useAdminActions } from './use-admin-actions.ts'

/** Comments that others do not see before an admin has looked at them, oldest first. */
export function HeldComments() {
  const { search } = useAddress()
  const held = trpc.moderation.heldComments.useInfiniteQuery({ q: search.q }, nextPage)
  const actions = useAdminActions()
  return (
    <>
      <div className={classes.toolbar}>
        <FilterBox label="Filter by text, name or title" />
        <p className={textStyles.muted}>
          What is held back is set under{' '}
          <Link
            to="/admin/$section"
            params={{ section: 'settings' }}
            hash="comments"
            className={classes.link}
          >
            Settings
          </Link>
          .
        </p>
      </div>
      <HeldPosts q={search.q} />
      <ListFrame
        query={held}
        empty={{ drawing: <LostDrawing />, title: 'No comments wait for review' }}
      >
        {(items) => (
          <div className={stack(16)}>
            {items.map((comment) => (
              <article key={comment.id} className={classes.card} aria-label="Comment to review">
                <MemberSubject member={{ ...comment, id: comment.userId }}>
                  {' · '}member since <TimeAgo time={comment.memberSince} />
                </MemberSubject>
                <blockquote className={classes.quote}>{comment.content}</blockquote>
                <p className={textStyles.muted}>
                  On{' '}
                  <Link
                    to="/video/$id"
                    params={{ id: String(comment.videoId) }}
                    className={classes.link}
                  >
                    {comment.videoTitle}
                  </Link>
                  , <TimeAgo time={comment.createdAt} />
                </p>
                <div className={classes.row}>
                  <Button
                    size="sm"
                    onClick={() =>
                      void actions.approveComment({ id: comment.id }).catch(() => undefined)
                    }
                  >
                    Approve
                  </Button>
                  <RowMenu
                    label={`Actions for the comment by ${comment.displayName}`}
                    items={[
                      {
                        ...{ label: 'Delete', Icon: IconTrash, isDanger: true },
                        onPress: () =>
                          requestAdminAction({ kind: 'deleteComment', id: comment.id, name: '' }),
                      },
                      {
                        ...{ label: `Ban ${comment.displayName}`, Icon: IconBan, isDanger: true },
                        onPress: () =>
                          requestAdminAction({
                            ...{ kind: 'ban', id: comment.userId, name: comment.displayName },
                          }),
                      },
                    ]}
                  />
                </div>
              </article>
            ))}
          </div>
        )}
      </ListFrame>
    </>
  )
}
