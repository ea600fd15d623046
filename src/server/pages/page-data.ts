import { createServerSideHelpers } from '@trpc/react-query/server'
import { COMMENTS_PER_PAGE } from '#shared/limits.ts'
import type { PageAnswers } from '#shared/page-data.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { appRouter } from '../app-router.ts'
import { type PageSubject, parseId } from '../discovery/sharing/page-head.ts'
import type { Context } from '../platform/context.ts'

/** What a page begins with: the answers to what the app asks first, and the videos whose pictures it shows first. */
export type PageData = { answers: PageAnswers; videos: Video[] }

/**
 * Asks the procedures themselves, as a visitor, what a page shows first: nothing that is a member's own can get
 * into it, whoever opens the page (docs/decisions/0014-pages-carry-their-data.md).
 */
export async function readPageData(context: Context, subject: PageSubject): Promise<PageData> {
  const ctx = { ...context, viewer: undefined, session: undefined }
  const helpers = createServerSideHelpers({ router: appRouter, ctx })
  const [, , videos] = await Promise.all([
    helpers.site.settings.prefetch(),
    helpers.auth.currentUser.prefetch(),
    askAbout(helpers, subject).catch(() => []),
  ])
  const queries = helpers.queryClient.getQueryCache().getAll()
  const answered = queries.filter(({ state }) => state.status === 'success')
  return { answers: answered.map(({ queryKey, state }) => [queryKey, state.data]), videos }
}

type Helpers = ReturnType<typeof createServerSideHelpers<typeof appRouter>>

async function askAbout(helpers: Helpers, subject: PageSubject): Promise<Video[]> {
  if (subject.kind === 'home') {
    const [{ pages }] = await Promise.all([
      helpers.video.list.fetchInfinite({}),
      helpers.explore.pinned.prefetch(),
      helpers.explore.loved.prefetch(),
      helpers.explore.games.prefetch(),
    ])
    const videos = pages[0]?.items ?? []
    if (videos.length === 0) await helpers.explore.host.prefetch()
    return videos
  }
  const id = 'id' in subject ? parseId(subject.id) : undefined
  if (id === undefined) return []
  switch (subject.kind) {
    case 'video': {
      const [video] = await Promise.all([
        helpers.video.get.fetch({ id }),
        helpers.video.playback.prefetch({ id }),
        helpers.video.recommended.prefetch({ id }),
        helpers.comment.list.prefetchInfinite({ id, limit: COMMENTS_PER_PAGE }),
        helpers.comment.pinned.prefetch({ id }),
        helpers.participant.list.prefetch({ id }),
      ])
      return [video]
    }
    case 'channel': {
      const [{ pages }] = await Promise.all([
        helpers.video.listByUser.fetchInfinite({ id }),
        helpers.user.get.prefetch({ id }),
        helpers.participant.appearances.prefetchInfinite({ id }),
      ])
      return pages[0]?.items ?? []
    }
    case 'playlist': {
      const { pages } = await helpers.playlist.get.fetchInfinite({ id })
      return pages[0]?.videos ?? []
    }
    default:
      return []
  }
}
