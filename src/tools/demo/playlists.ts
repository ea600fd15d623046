import { type Database, timestamp } from '#server/platform/db/database.ts'
import type { SeedMember } from '#tools/seed/members.ts'
import type { SeedVideo } from '#tools/seed/videos.ts'

/** `holds` is true for the videos in the playlist. */
export type List = { id: number; holds: (video: SeedVideo) => boolean }

type Wanted = { title: string; description: string; holds: List['holds'] }

/** Members take turns as owners. */
const WANTED: Wanted[] = [
  {
    title: 'Clip of the week',
    description: 'What everybody voted for on Friday.',
    holds: ({ viewCount }) => viewCount > 220,
  },
  {
    title: 'Clutches to learn from',
    description: 'Positioning, timing, and a little luck.',
    holds: ({ category }) => category === 'CS2' || category === 'Rainbow Six',
  },
  {
    title: 'Maps and routes',
    description: 'Look here before you ask in chat.',
    holds: ({ title }) => /\b(map|routes?|timing|hidden|every)\b/i.test(title),
  },
  {
    title: 'Night drives',
    description: '',
    holds: ({ category }) => category === 'GTA' || category === 'FiveM',
  },
]

export async function makePlaylists(db: Database, members: SeedMember[]): Promise<List[]> {
  const now = timestamp()
  const lists: List[] = []
  for (const [index, { title, description, holds }] of WANTED.entries()) {
    const owner = members[index % members.length] as SeedMember
    const { id } = await db
      .insertInto('playlists')
      .values({
        ...{ title, description, userId: owner.id, kind: 'list' },
        ...{ createdAt: now, updatedAt: now },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    lists.push({ id, holds })
  }
  return lists
}

export async function addToPlaylists(db: Database, video: SeedVideo, lists: List[]): Promise<void> {
  const addedAt = timestamp()
  for (const { id: playlistId, holds } of lists) {
    if (!video.isApproved || !holds(video)) continue
    const row = { playlistId, videoId: video.id, position: video.id, addedAt }
    await db.insertInto('playlistItems').values(row).execute()
  }
}
