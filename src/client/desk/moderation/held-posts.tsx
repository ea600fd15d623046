import { Button } from '@mantine/core'
import { IconBan, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { stack, textStyles } from '#client/kit/layout/layout.ts'
import { LoadMore } from '../../kit/list/load-more.tsx'
import { RowMenu } from '../../kit/menu/row-menu.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { requestAdminAction } from '../../platform/admin-request.ts'
import { trpc } from '../../trpc.ts'
import classes from '../admin.module.css'
import { nextPage } from '../list-frame.tsx'
import { MemberSubject } from './subject.tsx'
import { useAdminActions } from './use-admin-actions.ts'

/** Posts of channels, and comments on them, that wait for review, if there are any. */
export function HeldPosts({ q }: { q: string | undefined }) {
  const held = trpc.moderation.heldPosts.useInfiniteQuery({ q }, nextPage)
  const actions = useAdminActions()
  const items = held.data?.pages.flatMap((page) => page.items) ?? []
  if (items.length === 0) return null
  return (
    <div className={stack(16)}>
      {items.map(({ id, userId, displayName, ...post }) => (
        <article key={id} className={classes.card} aria-label="Post to review">
          <MemberSubject member={{ ...post, id: userId, displayName }}>
            {' · '}member since <TimeAgo time={post.memberSince} />
          </MemberSubject>
          <blockquote className={classes.quote}>{post.content}</blockquote>
          <p className={textStyles.muted}>
            {post.isComment ? 'On a post of ' : 'A post on '}
            <Link
              to="/profile/$id"
              params={{ id: String(post.channelId) }}
              search={{ tab: 'community' }}
              className={classes.link}
            >
              {post.channelName}
            </Link>
            , <TimeAgo time={post.createdAt} />
          </p>
          <div className={classes.row}>
            <Button
              size="sm"
              onClick={() => void actions.approvePost({ id }).catch(() => undefined)}
            >
              Approve
            </Button>
            <RowMenu
              label={`Actions for the post by ${displayName}`}
              items={[
                {
                  ...{ label: 'Delete', Icon: IconTrash, isDanger: true },
                  onPress: () => requestAdminAction({ kind: 'deletePost', id, name: '' }),
                },
                {
                  ...{ label: `Ban ${displayName}`, Icon: IconBan, isDanger: true },
                  onPress: () => requestAdminAction({ kind: 'ban', id: userId, name: displayName }),
                },
              ]}
            />
          </div>
        </article>
      ))}
      <LoadMore query={held} />
    </div>
  )
}
