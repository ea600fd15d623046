import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { look, row, stack, wrapped } from '#client/kit/layout/layout.ts'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { CLIPS_SHOWN } from '#shared/limits.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { ClipSection } from '../../browse/clip/clip-section.tsx'
import { GameTiles, GameTilesSkeleton } from '../../browse/explore/game-tiles.tsx'
import { PopularTags, PopularTagsSkeleton } from '../../browse/explore/popular-tags.tsx'
import { BEST_CLIPS } from '../../browse/queue/clip-queue-key.ts'
import chips from '../../browse/video/list/category-strip.module.css'
import { VideoGrid, VideoGridSkeleton } from '../../browse/video/list/video-grid.tsx'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { FilmDrawing } from '../../kit/drawings/film-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { trpc } from '../../trpc.ts'
import classes from './explore-page.module.css'

export function ExplorePage() {
  const { data: games } = trpc.explore.games.useQuery()
  const isEmpty = games?.every(({ videoCount }) => videoCount === 0)
  return (
    <div className={`${stack(32)} ${classes.page}`}>
      <PageTitle title="Explore" />
      <h1 className={`${classes.heading} ${look('pageHeading')}`}>Explore</h1>
      {games && isEmpty ? <NothingYet games={games} /> : <Sections />}
    </div>
  )
}

type Games = ComponentProps<typeof GameTiles>['games']

function Sections() {
  const games = trpc.explore.games.useQuery()
  const tags = trpc.explore.tags.useQuery()
  const trending = trpc.explore.trending.useQuery({})
  const clips = trpc.clip.bestOfWeek.useQuery({ limit: CLIPS_SHOWN })
  return (
    <>
      <Section id="games" title="Games" query={games} skeleton={<GameTilesSkeleton />}>
        {games.data && <GameTiles games={games.data} />}
      </Section>
      {tags.data?.length !== 0 && (
        <Section id="tags" title="Popular tags" query={tags} skeleton={<PopularTagsSkeleton />}>
          {tags.data && <PopularTags tags={tags.data} />}
        </Section>
      )}
      <ClipSection title="Best clips this week" clips={clips.data?.items ?? []} list={BEST_CLIPS} />
      <Section
        id="trending"
        title="Trending"
        query={{ ...trending, isPending: trending.isPending || clips.isPending }}
        skeleton={<VideoGridSkeleton />}
      >
        {trending.data && trending.data.length > 0 && (
          <VideoGrid videos={trending.data} heading="h3" />
        )}
        {trending.data?.length === 0 && (
          <EmptyState
            drawing={<FilmDrawing />}
            title="Nothing is trending this week"
            action={<LinkButton to="/upload">Upload a video</LinkButton>}
          >
            What people watch, like and talk about this week appears here.
          </EmptyState>
        )}
      </Section>
    </>
  )
}

/** Shown on a site without videos. */
function NothingYet({ games }: { games: Games }) {
  const viewer = useSession()
  const signIn = useSignInLink()
  return (
    <section aria-labelledby="games">
      <EmptyState
        drawing={<FilmDrawing />}
        title="Nothing to explore yet"
        action={
          viewer ? (
            <LinkButton to="/upload">Upload a video</LinkButton>
          ) : (
            <LinkButton {...signIn}>Sign in</LinkButton>
          )
        }
      >
        The first videos bring this page their games, their tags and what is trending.
      </EmptyState>
      <h2 id="games" className={look('below16', 'label', 'centredText', 'muted')}>
        Games
      </h2>
      <ul className={wrapped(8, 'middle')}>
        {games.map(({ name }) => (
          <li key={name} data-game={name}>
            <Link to="/" search={{ category: name }} className={`${row(8)} ${chips.chip}`}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

type SectionProps = {
  id: string
  title: string
  query: { data: unknown; isPending: boolean; error: unknown; refetch: () => Promise<unknown> }
  skeleton: ReactNode
  children: ReactNode
}

function Section({ id, title, query, skeleton, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={look('below16', 'heading')}>
        {title}
      </h2>
      {query.isPending && skeleton}
      {!query.isPending && query.data === undefined && (
        <LoadError error={query.error} onRetry={() => void query.refetch()} />
      )}
      {children}
    </section>
  )
}
