import { getRouteApi } from '@tanstack/react-router'
import { look } from '#client/kit/layout/layout.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import type { Squad } from '#shared/schemas/squad.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { ClipRow } from '../../browse/clip/clip-row.tsx'
import { JoinButton } from '../../browse/squad/join-button.tsx'
import { SquadActions } from '../../browse/squad/squad-actions.tsx'
import { SquadClips } from '../../browse/squad/squad-clips.tsx'
import { SquadHeader, SquadHeaderSkeleton } from '../../browse/squad/squad-header.tsx'
import { SquadNews } from '../../browse/squad/squad-news.tsx'
import { SquadPeople } from '../../browse/squad/squad-people.tsx'
import { SQUAD_TABS, toSquadTab } from '../../browse/squad/squad-tab.ts'
import { SquadVideos } from '../../browse/squad/squad-videos.tsx'
import { useSquadLive } from '../../browse/squad/use-squad-live.ts'
import { VideoGridSkeleton } from '../../browse/video/list/video-grid.tsx'
import { VideoRow } from '../../browse/video/list/video-row.tsx'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { SectionTabs } from '../../kit/control/section-tabs.tsx'
import { LostDrawing } from '../../kit/drawings/lost-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { NewsLine } from '../../kit/list/news-line.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { errorStatus } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import { CommentsSkeleton } from '../../watch/comment/comments.tsx'
import { parseVideoId } from '../../watch/player/video-id.ts'
import { PostCard } from '../../watch/post/post-card.tsx'
import classes from './squad-page.module.css'

const SquadPosts = lazyPart(() => import('../../watch/post/squad-posts.tsx'), <CommentsSkeleton />)
const SquadMembers = lazyPart(() => import('../../browse/squad/squad-members.tsx'))

const route = getRouteApi('/shell/squad/$id')

export function SquadPage() {
  const id = parseVideoId(route.useParams().id)
  const squad = trpc.squad.get.useQuery({ id: id ?? 0 }, { enabled: id !== undefined })
  if (id === undefined || errorStatus(squad.error) === 404) return <NoSquad />
  if (squad.data) {
    return <OneSquad key={squad.data.id} squad={squad.data} isCurrent={!squad.isFetching} />
  }
  if (squad.isPending) {
    return (
      <div className={look('widePage')}>
        <PageTitle title="Squad" />
        <h1 className="visually-hidden">Squad</h1>
        <SquadHeaderSkeleton />
        <VideoGridSkeleton />
      </div>
    )
  }
  return <LoadError heading="h1" error={squad.error} onRetry={() => void squad.refetch()} />
}

type OneSquadProps = {
  squad: Squad
  /** False while the squad is being refetched. */
  isCurrent: boolean
}

function OneSquad({ squad, isCurrent }: OneSquadProps) {
  const viewer = useSession()
  const navigate = route.useNavigate()
  const tab = toSquadTab(route.useSearch().tab)
  const { id, name, myRole, requestCount } = squad
  const members = trpc.squad.members.useQuery({ id })
  const news = useSquadLive({ squad, isCurrent, tab })
  const context = {
    viewer,
    renderVideo: (video: Video) => <VideoRow video={video} />,
    renderClip: (clip: Clip) => <ClipRow clip={clip} />,
  }
  const tabs = SQUAD_TABS.map((one) =>
    one.id === 'members' && requestCount > 0
      ? { ...one, label: `Members · ${requestCount} waiting` }
      : one,
  )
  return (
    <div className={look('widePage')}>
      <PageTitle title={name} />
      <SquadHeader
        squad={squad}
        members={members.data}
        viewerId={viewer?.id}
        action={
          <>
            {myRole === null && <JoinButton squad={squad} isMain />}
            <SquadActions squad={squad} isAdmin={viewer?.isAdmin === true} />
          </>
        }
      />
      <SectionTabs
        label="Squad"
        tabs={tabs}
        current={tab}
        onChange={(next) =>
          void navigate({
            search: next === 'new' ? {} : { tab: next },
            replace: true,
            resetScroll: false,
          })
        }
      >
        <NewsLine text={news?.text} onShow={news?.onShow} />
        {tab === 'new' && (
          <div className={classes.columns}>
            <SquadNews
              squad={squad}
              renderPost={(post, isLinked) => (
                <PostCard
                  post={post}
                  context={{ ...context, channelId: post.channelId }}
                  isLinked={isLinked}
                  linkedCommentId={null}
                />
              )}
            />
            <div className={classes.people}>
              {members.data && <SquadPeople squadId={id} members={members.data} />}
            </div>
          </div>
        )}
        {tab === 'videos' && <SquadVideos squad={squad} />}
        {tab === 'clips' && <SquadClips squadId={id} />}
        {tab === 'posts' && (
          <SquadPosts squad={{ id, name, isMember: myRole !== null }} context={context} />
        )}
        {tab === 'members' && <SquadMembers squad={squad} viewerId={viewer?.id} />}
      </SectionTabs>
    </div>
  )
}

function NoSquad() {
  return (
    <>
      <PageTitle title="Squad not found" />
      <EmptyState
        role="alert"
        heading="h1"
        drawing={<LostDrawing />}
        title="Squad not found"
        action={<LinkButton to="/squads">All squads</LinkButton>}
      >
        There is no such squad, it was deleted, or it takes in only whom it invites.
      </EmptyState>
    </>
  )
}
