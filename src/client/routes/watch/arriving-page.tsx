import { Button } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { Arriving } from '#shared/schemas/arriving.schemas.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { ChannelRow } from '../../browse/subscription/channel-row.tsx'
import { column, look, row } from '../../kit/layout/layout.ts'
import { PageTitle } from '../../kit/page-title.tsx'
import { RichText } from '../../kit/video/rich-text.tsx'
import { copyLink, LINK_COPIED } from '../../platform/video/share-link.ts'
import { trpc } from '../../trpc.ts'
import { ArrivingLine } from '../../watch/arriving/arriving-line.tsx'
import { ArrivingPanel } from '../../watch/arriving/arriving-panel.tsx'
import { ArrivingPlayer } from '../../watch/arriving/arriving-player.tsx'
import { useArriving } from '../../watch/arriving/use-arriving.ts'
import type { PlayerHandle } from '../../watch/player/video-player.tsx'
import { playsAtOnce } from './plays-at-once.ts'
import { WatchLayout } from './watch-layout.tsx'
import classes from './watch-page.module.css'

type ArrivingPageProps = { id: number; waiting: ReactNode; missing: ReactNode }

/** The page of a video whose upload has not ended. */
export default function ArrivingPage({ id, waiting, missing }: ArrivingPageProps) {
  const query = trpc.arriving.get.useQuery({ id }, { staleTime: 0, retryOnMount: false })
  if (query.data) return <Following key={id} first={query.data} />
  return query.isPending ? waiting : missing
}

const LOOK_AGAIN_MS = 2000
const noSlot = () => undefined
const IS_OVER: readonly Arriving['state'][] = ['failed', 'cancelled']

function Following({ first }: { first: Arriving }) {
  const utils = trpc.useUtils()
  const upload = useArriving(first)
  const { id } = first
  const player = useRef<PlayerHandle>(null)
  const { plays, state } = upload
  const [autoPlay] = useState(playsAtOnce)
  useEffect(() => {
    if (state !== 'ready') return
    const look = () => void utils.video.get.invalidate({ id })
    look()
    // Another node may not know yet.
    const timer = setInterval(look, LOOK_AGAIN_MS)
    return () => clearInterval(timer)
  }, [id, state, utils])
  const canPlay = plays === 'yes' && !IS_OVER.includes(state)
  return (
    <WatchLayout
      slot={noSlot}
      screen={
        <div className={`${look('relative', 'clipped', 'fullHeight')} ${classes.arriving}`}>
          {canPlay ? (
            <ArrivingPlayer {...{ upload, autoPlay, player }} />
          ) : (
            <ArrivingPanel upload={upload} />
          )}
        </div>
      }
      about={<About upload={upload} player={player} />}
      comments={null}
      queue={null}
      recommended={null}
    />
  )
}

type AboutProps = { upload: Arriving; player: RefObject<PlayerHandle | null> }

function About({ upload, player }: AboutProps) {
  const { id, title, description, channel, durationSeconds } = upload
  const viewerId = useSession()?.id
  return (
    <div className={column(12, 'stretch')}>
      <PageTitle title={title} />
      <h1 className={classes.title}>{title}</h1>
      <ArrivingLine upload={upload} />
      <div className={row([12, 24], 'wrap', 'between')}>
        <ChannelRow {...{ channel, viewerId }} />
        <Button
          variant="default"
          radius="xl"
          leftSection={<IconLink size={20} stroke={1.75} aria-hidden />}
          onClick={() => void copyLink(`/video/${id}`, LINK_COPIED)}
        >
          Copy link
        </Button>
      </div>
      {description !== '' && (
        <p className={look('breakWords')}>
          <RichText
            text={description}
            durationSeconds={durationSeconds ?? 0}
            onSeek={(seconds) => player.current?.playFrom(seconds)}
          />
        </p>
      )}
    </div>
  )
}
