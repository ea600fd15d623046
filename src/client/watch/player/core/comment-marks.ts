import { firstCharacters } from '#shared/text/cut-text.ts'
import { parseRichText } from '#shared/text/rich-text.ts'

export type CommentMark = { seconds: number; name: string; text: string; count: number }

type Spoken = { content: string; user: { displayName: string } | null }

/** Closer marks are merged; a share of the video. */
const NEAR_SHARE = 0.008
const TEXT_MAX = 90

/** Times in comments and replies, ascending. */
export function findCommentMarks(
  comments: readonly (Spoken & { replies?: readonly Spoken[] | undefined })[],
  durationSeconds: number,
): CommentMark[] {
  const all = comments.flatMap((comment) => [comment, ...(comment.replies ?? [])])
  const marks = all
    .flatMap((comment) => marksOf(comment, durationSeconds))
    .sort((a, b) => a.seconds - b.seconds)
  const apart: CommentMark[] = []
  for (const mark of marks) {
    const last = apart.at(-1)
    if (last && mark.seconds - last.seconds < durationSeconds * NEAR_SHARE) last.count += 1
    else apart.push(mark)
  }
  return apart
}

export function markAt(
  marks: readonly CommentMark[],
  seconds: number,
  withinSeconds: number,
): CommentMark | undefined {
  const [nearest] = marks
    .map((mark) => ({ mark, distance: Math.abs(mark.seconds - seconds) }))
    .filter(({ distance }) => distance <= withinSeconds)
    .sort((a, b) => a.distance - b.distance)
  return nearest?.mark
}

function marksOf({ content, user }: Spoken, maxSeconds: number): CommentMark[] {
  const times = parseRichText(content, { maxSeconds }).filter((token) => token.kind === 'time')
  const text = shorten(content.replace(/\s+/g, ' ').trim())
  const name = user?.displayName ?? 'Deleted user'
  return times.map(({ seconds }) => ({ seconds, name, text, count: 1 }))
}

function shorten(text: string): string {
  if (firstCharacters(text, TEXT_MAX + 1).count <= TEXT_MAX) return text
  return `${firstCharacters(text, TEXT_MAX - 1).text}…`
}
