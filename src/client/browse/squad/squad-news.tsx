import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { LinkButton } from '#client/kit/control/link-button.tsx'
import { FilmDrawing } from '#client/kit/drawings/film-drawing.tsx'
import { LockDrawing } from '#client/kit/drawings/lock-drawing.tsx'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { EmptyState } from '#client/kit/list/empty-state.tsx'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { nextPage } from '#client/platform/next-page.ts'
import { trpc } from '#client/trpc.ts'
import { postOfHash, videoOfHash } from '#shared/comment-hash.ts'
import type { Post } from '#shared/schemas/post.schemas.ts'
import type { Squad } from '#shared/schemas/squad.schemas.ts'
import { ClipShelf } from '../clip/clip-list.tsx'
import { VideoGridSkeleton } from '../video/list/video-grid.tsx'
import { VideoShelf } from '../video/list/video-shelf.tsx'
import classes from './squad-news.module.css'
import type { SquadTab } from './squad-tab.ts'
import { isKeptOut } from './squad-words.ts'

const POSTS = 4
const SHELF = 12

type SquadNewsProps = {
  squad: Squad
  renderPost: (post: Post, isLinked: boolean) => ReactNode
}
type News = { tab: SquadTab; title: string; time: string; content: ReactNode }

/** Shows the newest posts, videos and clips, and the linked one. The section with the newest entry comes first. */
export function SquadNews({ squad, renderPost }: SquadNewsProps) {
  const { id, myRole, name } = squad
  const enabled = myRole !== null
  const videos = trpc.squad.videos.useInfiniteQuery({ id }, { ...nextPage, enabled })
  const clips = trpc.squad.clips.useInfiniteQuery({ id, limit: 24 }, { ...nextPage, enabled })
  const posts = trpc.squad.posts.useInfiniteQuery({ id, limit: 10 }, { ...nextPage, enabled })
  const hash = useLocation({ select: (location) => location.hash })
  const [postId, videoId] = [postOfHash(hash), videoOfHash(hash)]
  // The linked post and video may be older than the newest ones.
  const post = trpc.post.get.useQuery(
    { id: postId ?? 0 },
    { enabled: enabled && postId !== undefined },
  )
  const video = trpc.video.get.useQuery(
    { id: videoId ?? 0 },
    { enabled: enabled && videoId !== undefined },
  )
  if (!enabled) {
    return (
      <EmptyState drawing={<LockDrawing />} title="For members of the squad">
        {isKeptOut(squad)
          ? 'Only members see its posts and videos.'
          : `Join ${name} to see its posts and videos.`}
      </EmptyState>
    )
  }
  const lists = [videos, clips, posts]
  // Waits for all queries so that nothing moves when the last response arrives.
  if (lists.some(({ isPending }) => isPending) || post.isLoading || video.isLoading)
    return <VideoGridSkeleton />
  const failed = lists.find(({ data }) => data === undefined)
  if (failed) return <LoadError error={failed.error} onRetry={() => void failed.refetch()} />
  const linkedVideo = video.data?.squad?.id === id ? video.data : undefined
  const linkedPost = post.data?.squad?.id === id ? post.data : undefined
  const newVideos = withLinked(videos.data?.pages[0]?.items.slice(0, SHELF) ?? [], linkedVideo)
  const newClips = clips.data?.pages[0]?.items.slice(0, SHELF) ?? []
  const newPosts = withLinked(posts.data?.pages[0]?.items.slice(0, POSTS) ?? [], linkedPost)
  const all: News[] = [
    {
      ...{ tab: 'posts', title: 'Posts', time: newPosts[0]?.createdAt ?? '' },
      content: (
        <ul className={classes.posts}>
          {newPosts.map((post) => (
            <li key={post.id}>{renderPost(post, post.id === linkedPost?.id)}</li>
          ))}
        </ul>
      ),
    },
    {
      ...{ tab: 'videos', title: 'Videos', time: newVideos[0]?.publishedAt ?? '' },
      content: <VideoShelf videos={newVideos} heading="h3" linkedId={linkedVideo?.id} />,
    },
    {
      ...{ tab: 'clips', title: 'Clips', time: newClips[0]?.createdAt ?? '' },
      content: <ClipShelf clips={newClips} />,
    },
  ]
  const shown = all
    .filter(({ time }) => time !== '')
    .sort((a, b) => Date.parse(b.time) - Date.parse(a.time))
  if (shown.length === 0) {
    return (
      <EmptyState
        drawing={<FilmDrawing />}
        title="Nothing for this squad yet"
        action={<LinkButton to="/upload">Upload a video</LinkButton>}
      >
        Videos that are for {name}, and the clips and posts of its members, are shown here.
      </EmptyState>
    )
  }
  return (
    <div className={stack(24)}>
      {shown.map(({ tab, title, content }) => (
        <section key={tab} aria-labelledby={`squad-new-${tab}`}>
          <div className={row(16, 'between', 'below12')}>
            <h2 id={`squad-new-${tab}`} className={look('heading')}>
              {title}
            </h2>
            <Link to="/squad/$id" params={{ id: String(id) }} search={{ tab }} replace>
              All {title.toLowerCase()}
            </Link>
          </div>
          {content}
        </section>
      ))}
    </div>
  )
}

function withLinked<Item extends { id: number }>(items: Item[], linked: Item | undefined): Item[] {
  const isAdded = linked && items.every(({ id }) => id !== linked.id)
  return isAdded ? [linked, ...items] : items
}
