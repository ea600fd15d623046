import { CLIPS_SHOWN, COMMENTS_PER_PAGE, NEW_CLIPS_SHOWN } from '#shared/limits.ts'
import type { PageAnswers } from '#shared/page-data.ts'
import type { Tonight } from '#shared/schemas/home.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { createCaller } from '../app-router.ts'
import { type PageSubject, parseId } from '../discovery/sharing/page-head.ts'
import type { Context } from '../platform/context.ts'

/** Answers to the app's first queries, and videos with pictures to preload. */
export type PageData = {
  answers: PageAnswers
  videos: Video[]
  clip?: Clip
  /** Only the home page has it. */
  tonight?: Tonight | null
  /** The admins' sentence about the site. */
  welcome?: string | undefined
  /** Of the video's file at most, in bits per second. */
  bitRate?: number | undefined
}
type Clip = { startSeconds: number; pictureUrl: string | null }

/**
 * Reads as a visitor: no page contains a member's data (docs/decisions/0014-pages-carry-their-data.md).
 */
export async function readPageData(context: Context, subject: PageSubject): Promise<PageData> {
  const caller = createCaller({ ...context, viewer: undefined, session: undefined })
  const questions = createQuestions()
  const { ask } = questions
  const [about, site] = await Promise.allSettled([
    askAbout(caller, questions, subject),
    ask('site.settings', caller.site.settings, undefined),
    ask('auth.currentUser', caller.auth.currentUser, undefined),
  ])
  const { value = { videos: [] } } = about.status === 'fulfilled' ? about : {}
  const welcome = site.status === 'fulfilled' ? site.value.welcome : undefined
  return { answers: questions.answers, welcome, ...value }
}

type Caller = ReturnType<typeof createCaller>
type Call<Input, Output> = (input: Input) => Promise<Output>

/** By https://trpc.io/docs/client/react/getQueryKey. */
function createQuestions() {
  /** In call order: equal pages have equal bytes. */
  const places: (PageAnswers[number] | undefined)[] = []
  const keyOf = (path: string, type: 'query' | 'infinite', input: unknown) => [
    path.split('.'),
    { ...(input !== undefined && { input }), type },
  ]
  return {
    get answers(): PageAnswers {
      return places.filter((answer) => answer !== undefined)
    },

    async ask<Input, Output>(path: string, call: Call<Input, Output>, input: Input) {
      const place = places.push(undefined) - 1
      const data = await call(input)
      places[place] = [keyOf(path, 'query', input), data]
      return data
    },

    async askFirst<Input, Output>(path: string, call: Call<Input, Output>, input: Input) {
      const place = places.push(undefined) - 1
      const page = await call(input)
      places[place] = [keyOf(path, 'infinite', input), { pages: [page], pageParams: [null] }]
      return page
    },
  }
}

async function askAbout(
  { clip, comment, explore, home, participant, playlist, user, video }: Caller,
  { ask, askFirst }: ReturnType<typeof createQuestions>,
  subject: PageSubject,
): Promise<Omit<PageData, 'answers'>> {
  if (subject.kind === 'home') {
    const [{ items }, tonight] = await Promise.all([
      askFirst('video.list', video.list, {}),
      ask('home.tonight', home.tonight, undefined),
      ask('home.shelves', home.shelves, undefined),
      ask('explore.pinned', explore.pinned, undefined),
      ask('explore.games', explore.games, undefined),
      ask('clip.newest', clip.newest, { limit: NEW_CLIPS_SHOWN }),
    ])
    if (items.length === 0) await ask('explore.host', explore.host, undefined)
    return { videos: items, tonight }
  }
  const id = 'id' in subject ? parseId(subject.id) : undefined
  if (id === undefined) return { videos: [] }
  switch (subject.kind) {
    case 'video': {
      const [found, { renditions }] = await Promise.all([
        ask('video.get', video.get, { id }),
        ask('video.playback', video.playback, { id }),
        ask('video.recommended', video.recommended, { id }),
        askFirst('comment.list', comment.list, { id, limit: COMMENTS_PER_PAGE }),
        ask('comment.pinned', comment.pinned, { id }),
        ask('comment.count', comment.count, { id }),
        ask('participant.list', participant.list, { id }),
        ask('clip.ofVideo', clip.ofVideo, { id, limit: CLIPS_SHOWN }),
      ])
      return { videos: [found], bitRate: renditions[0]?.bandwidth }
    }
    case 'clip': {
      const { video: ofClip, ...found } = await ask('clip.byId', clip.byId, { id })
      const of = { id: ofClip.id }
      await Promise.all([
        ask('video.playback', video.playback, of),
        askFirst('comment.list', comment.list, {
          ...{ ...of, clipId: found.id, limit: COMMENTS_PER_PAGE },
        }),
        ask('comment.pinned', comment.pinned, { ...of, clipId: found.id }),
        ask('comment.count', comment.count, { ...of, clipId: found.id }),
      ])
      return { videos: [ofClip], clip: found }
    }
    case 'channel': {
      const [{ items }] = await Promise.all([
        askFirst('video.listByUser', video.listByUser, { id }),
        ask('user.get', user.get, { id }),
        askFirst('participant.appearances', participant.appearances, { id }),
        askFirst('clip.ofChannel', clip.ofChannel, { id }),
      ])
      return { videos: items }
    }
    case 'playlist': {
      const { videos } = await askFirst('playlist.get', playlist.get, { id })
      return { videos }
    }
    default:
      return { videos: [] }
  }
}
