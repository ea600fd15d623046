import { Button } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { useState } from 'react'
import { formatCount } from '#shared/text/format.ts'
import action from '../../kit/control/action-button.module.css'
import { look } from '../../kit/layout/layout.ts'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { trpc } from '../../trpc.ts'
import type { WatchComments } from './watch-comments.tsx'
import classes from './watch-page.module.css'

const CommentsSheet = lazyPart(() => import('./comments-sheet.tsx'))

/** Opens the comments on phones, where they are far down the page. */
export function CommentsButton(props: Parameters<typeof WatchComments>[0]) {
  const { video, clipId } = props
  const place = clipId === undefined ? { id: video.id } : { id: video.id, clipId }
  const { data: count = 0 } = trpc.comment.count.useQuery(place)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        className={`${action.action} ${look('pill')} ${classes.commentsButton}`}
        leftSection={<IconMessage size={20} stroke={1.75} aria-hidden />}
        aria-haspopup="dialog"
        aria-label={`Open comments, ${formatCount(count)}`}
        onPointerEnter={CommentsSheet.preload}
        onClick={() => setOpen(true)}
      />
      {isOpen && <CommentsSheet {...props} onClose={() => setOpen(false)} />}
    </>
  )
}
