import { UnstyledButton } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Fragment, useState } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { trpc } from '#client/trpc.ts'

const LeaveDialog = lazyPart(() => import('./leave-dialog.tsx'))

type PlayedWithProps = { videoId: number; viewerId: number | undefined }

/** Named members may remove themselves. */
export function PlayedWith({ videoId, viewerId }: PlayedWithProps) {
  const { data: members } = trpc.participant.list.useQuery({ id: videoId })
  const [isLeaving, setLeaving] = useState(false)
  if (!members || members.length === 0) return null
  return (
    <div className={row([4, 12], 'wrap', 'muted')}>
      <p className={look('breakWords')}>
        Played with{' '}
        {members.map(({ id, username, displayName }, index) => (
          <Fragment key={id}>
            {index > 0 && ', '}
            <Link
              to="/profile/$id"
              params={{ id: String(id) }}
              className={look('strong', 'textColor')}
              title={displayName}
            >
              @{username}
            </Link>
          </Fragment>
        ))}
      </p>
      {members.some(({ id }) => id === viewerId) && (
        <UnstyledButton
          className={look('hoverUnderline', 'small', 'infoColor', 'size13')}
          onClick={() => setLeaving(true)}
        >
          Remove my name
        </UnstyledButton>
      )}
      {isLeaving && viewerId !== undefined && (
        <LeaveDialog videoId={videoId} viewerId={viewerId} onClose={() => setLeaving(false)} />
      )}
    </div>
  )
}
