import { Button } from '@mantine/core'
import { IconBan, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { RowMenu } from '../../kit/menu/row-menu.tsx'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { requestAdminAction } from '../../platform/admin-request.ts'
import classes from '../admin.module.css'
import { MemberSubject } from './subject.tsx'

type HeldTextProps = {
  noun: 'comment' | 'post'
  text: { id: number; content: string; createdAt: string; memberSince: string }
  author: { id: number; username: string; displayName: string; avatarUrl: string | null }
  /** Link to the page that shows the text. */
  place: ReactNode
  onApprove: () => Promise<unknown>
}

export function HeldText({ noun, text, author, place, onApprove }: HeldTextProps) {
  const { id, displayName: name } = author
  const kind = noun === 'comment' ? 'deleteComment' : 'deletePost'
  return (
    <article
      className={stack(12, 'framed', 'pad16')}
      aria-label={noun === 'comment' ? 'Comment to review' : 'Post to review'}
    >
      <MemberSubject member={author}>
        {' · '}member since <TimeAgo time={text.memberSince} />
      </MemberSubject>
      <blockquote className={classes.quote}>{text.content}</blockquote>
      <p className={look('muted')}>
        {place}, <TimeAgo time={text.createdAt} />
      </p>
      <div className={`${classes.row} ${row([8, 16], 'wrap')}`}>
        <Button size="sm" onClick={() => void onApprove().catch(() => undefined)}>
          Approve
        </Button>
        <RowMenu
          label={`Actions for the ${noun} by ${name}`}
          items={[
            {
              ...{ label: 'Delete', Icon: IconTrash, isDanger: true },
              onPress: () => requestAdminAction({ kind, id: text.id, name: '' }),
            },
            {
              ...{ label: `Ban ${name}`, Icon: IconBan, isDanger: true },
              onPress: () => requestAdminAction({ kind: 'ban', id, name }),
            },
          ]}
        />
      </div>
    </article>
  )
}
