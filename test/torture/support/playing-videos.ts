import { sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'
import { createSiteClient, type SiteClient } from './site-client.ts'

type Played = { processingState: string; videoUrl: string | null; hlsUrl: string | null }

/** Which of these videos do not play with a ladder, and which are there twice, a sentence each. */
export async function checkPlaying(input: {
  origin: string
  db: Database
  videos: number[]
  /** A visitor by default, who does not see private videos. */
  client?: SiteClient
}): Promise<string[]> {
  const { origin, db, videos, client = createSiteClient(origin) } = input
  const wrong: string[] = []
  for (const id of videos) {
    const answer = await client.get(`/api/videos/${id}`)
    const video = answer?.status === 200 ? answer.json<Played>() : undefined
    const { processingState, videoUrl, hlsUrl } = video ?? {}
    if (processingState !== 'ready' || !videoUrl || !hlsUrl) {
      wrong.push(`Video ${id} is ${processingState}, its ladder ${hlsUrl}.`)
      continue
    }
    const [file, ladder] = [await client.get(videoUrl), await client.get(hlsUrl)]
    if (file?.status !== 200) wrong.push(`The file of video ${id} is answered ${file?.status}.`)
    if (!ladder?.text.startsWith('#EXTM3U')) wrong.push(`Video ${id} has no ladder.`)
  }
  const doubled = await sql<{ title: string; count: number }>`
    SELECT title, count(*) AS count FROM videos GROUP BY title HAVING count(*) > 1`.execute(db)
  return [
    ...wrong,
    ...doubled.rows.map(({ title, count }) => `“${title}” is there ${count} times.`),
  ]
}
