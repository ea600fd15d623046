import { createRandom, type Random } from '#tools/seed/random.ts'
import type { Material } from './kill-scenes.ts'
import type { Ledger } from './ledger.ts'
import { resultOf, type SiteClient } from './site-client.ts'

export type LoadMember = { client: SiteClient; id: number }
/** What the load of one site remembers from server to server. */
type LoadMemory = {
  own: Map<number, { id: number; title: string }[]>
  comments: Map<number, number[]>
  acts: number
  unplanned: string[]
  /** Each member has a stream of chance of their own: how fast the others are changes nothing in it. */
  randomOf: (member: number) => Random
}

export function createLoadMemory(seed: number): LoadMemory {
  const streams = new Map<number, Random>()
  const randomOf = (member: number) => {
    const random = streams.get(member) ?? createRandom(seed, `member ${member}`)
    streams.set(member, random)
    return random
  }
  return { own: new Map(), comments: new Map(), acts: 0, unplanned: [], randomOf }
}

/**
 * Keeps members busy until sent to stop, or until the server is gone: they upload, comment, rate, edit and
 * delete, and whatever is acknowledged goes on the books.
 * @returns what stops it, and waits for what is under way
 */
export function startMixedLoad(input: {
  members: LoadMember[]
  /** Videos that were there before. */
  others: number[]
  material: Material
  ledger: Ledger
  memory: LoadMemory
  /** Whether they comment rather than upload, for now. */
  isFull?: () => Promise<boolean>
}): () => Promise<void> {
  let stopped = false
  const work = input.members.map(async (member) => {
    while (!stopped) if (!(await actOnce(input, member))) return
  })
  return async () => {
    stopped = true
    await Promise.all(work)
  }
}

type Load = Parameters<typeof startMixedLoad>[0]

/** @returns false when the server is gone */
async function actOnce(load: Load, member: LoadMember): Promise<boolean> {
  const { memory } = load
  const random = memory.randomOf(member.id)
  memory.acts += 1
  const own = memory.own.get(member.id) ?? []
  const dice = random.fraction()
  if (dice < 0.3 && !(await load.isFull?.())) return sendVideo(load, member)
  if (dice < 0.5) return comment(load, member, random.pick(load.others))
  if (dice < 0.7) return random.pick([editVideo, editComment, rename])(load, member)
  if (dice < 0.9 || own.length < 3) return rate(load, member, random.pick(load.others))
  return removeVideo(load, member)
}

async function sendVideo({ material, ledger, memory }: Load, { client, id }: LoadMember) {
  const bytes = memory.randomOf(id).chance(0.3) ? material.needsTranscode : material.clip
  const title = `Clip ${memory.acts} of ${id}`
  const opened = await client.initialize({ title, size: bytes.length })
  if (!opened) return false
  // Those that a crash cut off stay open until they are given up.
  if (opened.status === 429) return giveUpUploads(client)
  if (!accept(memory, opened.status, [201], 'initialize')) return true
  const { uploadId, chunkSize } = opened.json<{ uploadId: string; chunkSize: number }>()
  ledger.upload(uploadId)
  for (let index = 0; index < Math.ceil(bytes.length / chunkSize); index++) {
    const stored = await client.chunk(uploadId, index, bytes)
    if (!stored) return false
    if (accept(memory, stored.status, [200], 'chunk')) ledger.chunk(uploadId, index)
  }
  const completed = await client.complete(uploadId)
  if (!completed) return false
  if (!accept(memory, completed.status, [200], 'complete')) return true
  const videoId = completed.json<{ videoId: number }>().videoId
  ledger.video(videoId, title)
  memory.own.set(id, [...(memory.own.get(id) ?? []), { id: videoId, title }])
  return true
}

async function giveUpUploads(client: SiteClient): Promise<boolean> {
  const open = await client.get('/trpc/upload.listOpen')
  if (!open) return false
  for (const { id } of resultOf<{ id: string }[]>(open)) {
    if (!(await client.call('upload.cancel', { uploadId: id }))) return false
  }
  return true
}

async function comment({ ledger, memory }: Load, { client, id }: LoadMember, videoId: number) {
  const content = `Comment ${memory.acts} of ${id}`
  const answer = await client.comment(videoId, content)
  if (!answer) return false
  if (accept(memory, answer.status, [200], 'comment')) {
    const { id: commentId } = resultOf<{ id: number }>(answer)
    ledger.comment(commentId, content)
    memory.comments.set(id, [...(memory.comments.get(id) ?? []), commentId])
  }
  return true
}

async function editVideo({ ledger, memory }: Load, { client, id }: LoadMember) {
  const own = memory.own.get(id) ?? []
  if (own.length === 0) return true
  const video = memory.randomOf(id).pick(own)
  const title = `Clip renamed by act ${memory.acts} of ${id}`
  ledger.drop(`video ${video.id}`)
  const answer = await client.call('video.edit', { id: video.id, title })
  if (!answer) return false
  if (accept(memory, answer.status, [200], 'video.edit')) ledger.video(video.id, title)
  return true
}

async function editComment({ ledger, memory }: Load, { client, id }: LoadMember) {
  const own = memory.comments.get(id) ?? []
  if (own.length === 0) return true
  const commentId = memory.randomOf(id).pick(own)
  const content = `Comment edited by act ${memory.acts} of ${id}`
  ledger.drop(`comment ${commentId}`)
  const answer = await client.call('comment.edit', { id: commentId, content })
  if (!answer) return false
  if (accept(memory, answer.status, [200], 'comment.edit')) ledger.comment(commentId, content)
  return true
}

async function rename({ ledger, memory }: Load, { client, id }: LoadMember) {
  const displayName = `Member ${id} since act ${memory.acts}`
  ledger.drop(`name ${id}`)
  const answer = await client.call('settings.editProfile', { displayName })
  if (!answer) return false
  if (accept(memory, answer.status, [200], 'editProfile')) ledger.name(id, displayName)
  return true
}

async function rate({ ledger, memory }: Load, { client, id }: LoadMember, videoId: number) {
  const isLike = memory.randomOf(id).chance(0.5)
  ledger.drop(`like ${id} ${videoId}/`)
  const answer = await client.rate({ videoId }, isLike)
  if (!answer) return false
  if (accept(memory, answer.status, [200], 'rate')) ledger.like(id, { videoId }, isLike)
  return true
}

async function removeVideo({ ledger, memory }: Load, { client, id }: LoadMember) {
  const own = memory.own.get(id) ?? []
  const video = own.shift()
  if (!video) return true
  ledger.drop(`video ${video.id}`)
  const answer = await client.deleteVideo(video.id)
  if (!answer) return false
  if (accept(memory, answer.status, [200, 204], 'delete')) ledger.noVideo(video.id)
  return true
}

function accept(memory: LoadMemory, status: number, right: number[], act: string): boolean {
  if (right.includes(status)) return true
  memory.unplanned.push(`${act} answered ${status}.`)
  return false
}
