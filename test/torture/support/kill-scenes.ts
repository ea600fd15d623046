import { setTimeout as pause } from 'node:timers/promises'
import type { Failpoint } from '#server/platform/failpoints.ts'
import type { Ledger } from './ledger.ts'
import { type Answer, resultOf, type SiteClient } from './site-client.ts'

/** The files that members upload. They are small, because only the steps matter. */
export type Material = { clip: Buffer; needsTranscode: Buffer; pictures: [Buffer, Buffer] }

/** A visit of a new member. */
export type Visit = {
  client: SiteClient
  ledger: Ledger
  material: Material
  member: { id: number; name: string }
  /** An existing video to comment on; 0 for none. */
  otherVideo: number
  failures: string[]
  /** The client keeps the id of its upload across a crash. */
  uploadId?: string
  videoId?: number
}

/** `act` leads to a step; `again` is what the member does after the crash to complete it. */
export type Scene = { act: (visit: Visit) => Promise<void>; again: (visit: Visit) => Promise<void> }

/** An answer other than `expected` is a failure; none at all is not. */
function accept(visit: Visit, answer: Answer | undefined, expected: number[]): answer is Answer {
  if (!answer) return false
  if (expected.includes(answer.status)) return true
  visit.failures.push(`Answered ${answer.status}: ${answer.text.slice(0, 200)}`)
  return false
}

const titleOf = ({ member }: Visit) => `Recording of ${member.name}`

async function sendUpload(visit: Visit, bytes: Buffer, picture?: Buffer): Promise<void> {
  const { client, ledger } = visit
  const title = titleOf(visit)
  const opened = await client.initialize({
    title,
    size: bytes.length,
    resumeUploadId: visit.uploadId,
  })
  if (!accept(visit, opened, [200, 201])) return
  const { uploadId, received, chunkSize } = opened.json<{
    uploadId: string
    received: number[]
    chunkSize: number
  }>()
  visit.uploadId = uploadId
  ledger.upload(uploadId)
  for (let index = 0; index < Math.ceil(bytes.length / chunkSize); index++) {
    if (received.includes(index)) continue
    if (!accept(visit, await client.chunk(uploadId, index, bytes), [200])) return
    ledger.chunk(uploadId, index)
  }
  let thumbnailUrl: string | undefined
  if (picture) {
    const answer = await client.thumbnail(uploadId, picture)
    if (!accept(visit, answer, [200])) return
    thumbnailUrl = answer.json<{ thumbnailUrl: string }>().thumbnailUrl
  }
  await finishUpload(visit, thumbnailUrl)
}

async function finishUpload(visit: Visit, thumbnailUrl?: string): Promise<void> {
  const answer = await visit.client.complete(visit.uploadId ?? '', thumbnailUrl)
  if (!accept(visit, answer, [200])) return
  visit.videoId = answer.json<{ videoId: number }>().videoId
  visit.ledger.video(visit.videoId, titleOf(visit))
}

/** Completes the upload or sends the missing chunks, like the upload page. */
async function resumeUpload(visit: Visit, bytes: Buffer): Promise<void> {
  if (visit.videoId !== undefined) return
  if (visit.uploadId) {
    const answer = await visit.client.complete(visit.uploadId)
    // Without an answer it may become a video, and is asked for again.
    if (!answer) return
    if (answer.status === 200) return finishUpload(visit)
  }
  await sendUpload(visit, bytes)
}

const upload: Scene = {
  act: (visit) => sendUpload(visit, visit.material.clip, visit.material.pictures[0]),
  again: (visit) => resumeUpload(visit, visit.material.clip),
}

const transcode: Scene = {
  act: (visit) => sendUpload(visit, visit.material.needsTranscode),
  again: (visit) => resumeUpload(visit, visit.material.needsTranscode),
}

const cancel: Scene = {
  async act(visit) {
    const { client, ledger, material } = visit
    const opened = await client.initialize({ title: titleOf(visit), size: material.clip.length })
    if (!accept(visit, opened, [201])) return
    visit.uploadId = opened.json<{ uploadId: string }>().uploadId
    if (!accept(visit, await client.chunk(visit.uploadId, 0, material.clip), [200])) return
    ledger.upload(visit.uploadId)
    await client.call('upload.cancel', { uploadId: visit.uploadId })
  },
  async again(visit) {
    const uploadId = visit.uploadId ?? ''
    if (accept(visit, await visit.client.call('upload.cancel', { uploadId }), [200])) {
      visit.ledger.cancelled(uploadId)
    }
  },
}

const poster: Scene = {
  async act(visit) {
    await sendUpload(visit, visit.material.clip)
    for (const picture of visit.material.pictures) await setPoster(visit, picture)
  },
  async again(visit) {
    await resumeUpload(visit, visit.material.clip)
    await setPoster(visit, visit.material.pictures[0])
  },
}

async function setPoster({ ...visit }: Visit, picture: Buffer): Promise<void> {
  const { client, ledger, videoId } = visit
  if (videoId === undefined) return
  ledger.drop(`poster ${videoId}`)
  const answer = await client.poster(videoId, picture)
  if (!accept(visit, answer, [200])) return
  ledger.poster(videoId, answer.json<{ thumbnailUrl: string }>().thumbnailUrl)
}

const avatar: Scene = {
  async act(visit) {
    for (const picture of visit.material.pictures) await setAvatar(visit, picture)
  },
  again: (visit) => setAvatar(visit, visit.material.pictures[0]),
}

async function setAvatar(visit: Visit, picture: Buffer): Promise<void> {
  const { client, ledger, member } = visit
  ledger.drop(`avatar ${member.id}`)
  const answer = await client.avatar(picture)
  if (!accept(visit, answer, [200])) return
  ledger.avatar(member.id, answer.json<{ url: string }>().url)
}

const deletion: Scene = {
  async act(visit) {
    await sendUpload(visit, visit.material.clip)
    await writeComment(visit, visit.videoId ?? visit.otherVideo)
    await removeVideo(visit)
  },
  async again(visit) {
    await resumeUpload(visit, visit.material.clip)
    await removeVideo(visit)
  },
}

/** More than a step of its deletion has. */
const MANY_COMMENTS = 60

const longDeletion: Scene = {
  async act(visit) {
    await sendUpload(visit, visit.material.clip)
    const { client, videoId } = visit
    if (videoId === undefined) return
    for (let at = 0; at < MANY_COMMENTS; at++) {
      if (!accept(visit, await client.comment(videoId, `Round ${at}`), [200])) return
    }
    await removeVideo(visit)
  },
  again: deletion.again,
}

async function removeVideo({ client, ledger, videoId, ...visit }: Visit): Promise<void> {
  if (videoId === undefined) return
  const mine = `${videoId}/`
  ledger.dropWhere((key) => key === `video ${videoId}` || key.endsWith(` ${mine}`))
  ledger.dropWhere((key) => key.startsWith('comment '))
  const answer = await client.deleteVideo(videoId)
  if (accept({ client, ledger, ...visit }, answer, [200, 204, 404])) ledger.noVideo(videoId)
}

async function writeComment(visit: Visit, videoId: number): Promise<void> {
  const { client, ledger, member } = visit
  if (videoId === 0) return
  const content = `Well played, says ${member.name}`
  const answer = await client.comment(videoId, content)
  if (!accept(visit, answer, [200])) return
  ledger.comment(resultOf<{ id: number }>(answer).id, content)
  ledger.drop(`like ${member.id} ${videoId}/`)
  if (accept(visit, await client.rate({ videoId }, true), [200])) {
    ledger.like(member.id, { videoId }, true)
  }
}

const montage: Scene = {
  async act(visit) {
    await sendUpload(visit, visit.material.clip)
    await exportMontage(visit)
  },
  async again(visit) {
    await resumeUpload(visit, visit.material.clip)
    await exportMontage(visit)
  },
}

/** Makes one video of a recording, twice, and waits until that plays. */
async function exportMontage(visit: Visit): Promise<void> {
  const { client, videoId } = visit
  if (videoId === undefined) return
  const item = { videoId, fromSeconds: 0, toSeconds: 2 }
  const input = { title: `Montage of ${visit.member.name}`, transition: 'fade', titleCard: true }
  const started = await client.call('montage.start', { ...input, items: [item, item] })
  // A montage from before the crash may still be running.
  if (!accept(visit, started, [200, 409]) || started.status === 409) return
  const { videoId: id } = resultOf<{ videoId: number }>(started)
  for (;;) {
    const state = await client.get(`/api/videos/${id}`)
    if (!accept(visit, state, [200])) return
    const { processingState } = state.json<{ processingState: string }>()
    if (processingState === 'failed') visit.failures.push('The montage failed.')
    if (processingState !== 'processing') break
    await pause(POLL_MS)
  }
  visit.ledger.video(id, input.title)
}

const mix: Scene = {
  async act(visit) {
    await sendUpload(visit, visit.material.clip)
    await saveMix(visit)
  },
  async again(visit) {
    await resumeUpload(visit, visit.material.clip)
    await saveMix(visit)
  },
}

/** Waits for the stream, mixes its two tracks, and waits until the video has the mix. */
async function saveMix(visit: Visit): Promise<void> {
  const { client, videoId: id } = visit
  if (id === undefined) return
  const track = { gainDb: -3, isMuted: false, isVoice: false }
  const tracks = [1, 2].map((number) => ({ number, ...track }))
  const stateOf = async () => {
    const input = encodeURIComponent(JSON.stringify({ id }))
    const state = await client.get(`/trpc/video.processingStatus?input=${input}`)
    return accept(visit, state, [200])
      ? resultOf<{ ladder: { state: string } | null; mix: { state: string } | null }>(state)
      : undefined
  }
  for (;;) {
    const state = await stateOf()
    if (!state) return
    if (state.ladder?.state === 'done') break
    await pause(POLL_MS)
  }
  const saved = await client.call('video.setSoundMix', { id, mix: { tracks, ducks: false } })
  if (!accept(visit, saved, [200])) return
  for (;;) {
    const state = await stateOf()
    if (!state) return
    if (state.mix?.state === 'failed') visit.failures.push('The mix failed.')
    if (state.mix?.state === 'done' || state.mix?.state === 'failed') return
    await pause(POLL_MS)
  }
}

const PARTS = [{ fromSeconds: 0, toSeconds: 1 }]
const POLL_MS = 100

const cut: Scene = {
  async act(visit) {
    await sendUpload(visit, visit.material.clip)
    await cutAndBringBack(visit)
  },
  async again(visit) {
    await resumeUpload(visit, visit.material.clip)
    await cutAndBringBack(visit)
  },
}

/** Replaces a recording by a part of it, waits until that plays, and brings the whole back. */
async function cutAndBringBack(visit: Visit): Promise<void> {
  const { client, videoId } = visit
  if (videoId === undefined) return
  const started = await client.call('cut.start', { videoId, parts: PARTS, as: 'replace' })
  // A cut from before the crash may still be running.
  if (!accept(visit, started, [200, 409])) return
  for (;;) {
    const state = await client.get(`/api/videos/${videoId}/cut`)
    if (!accept(visit, state, [200])) return
    if (state.json<{ cut: object | null }>().cut === null) break
    await pause(POLL_MS)
  }
  accept(visit, await client.call('cut.bringBack', { videoId }), [200, 409])
}

const dataExport: Scene = {
  async act(visit) {
    await sendUpload(visit, visit.material.clip)
    await downloadData(visit)
  },
  async again(visit) {
    await resumeUpload(visit, visit.material.clip)
    await downloadData(visit)
  },
}

/** Waits until the archive is ready, and checks that it is complete. */
async function downloadData(visit: Visit): Promise<void> {
  const { client } = visit
  if (!accept(visit, await client.confirmPassword(), [200])) return
  // An export from before the crash may still be running.
  if (!accept(visit, await client.call('settings.askForData'), [200, 409])) return
  for (;;) {
    const answer = await client.get('/trpc/settings.dataExport')
    if (!accept(visit, answer, [200])) return
    const { state } = resultOf<{ state: string }>(answer)
    if (state === 'failed') visit.failures.push('The data could not be prepared.')
    if (state === 'failed' || state === 'done') break
    await pause(POLL_MS)
  }
  const archive = await client.get('/api/settings/data/download')
  if (!accept(visit, archive, [200])) return
  const text = archive.text.slice(archive.text.indexOf('{'), archive.text.indexOf('\n}\n') + 2)
  const { profile } = JSON.parse(text) as { profile: { id: number } }
  if (profile.id !== visit.member.id) visit.failures.push('The data is not of the member.')
}

const account: Scene = {
  async act(visit) {
    const { client, ledger, material, member } = visit
    await sendUpload(visit, material.clip)
    await setAvatar(visit, material.pictures[0])
    await writeComment(visit, visit.otherVideo)
    const open = await client.initialize({ title: titleOf(visit), size: material.clip.length })
    if (!accept(visit, open, [201])) return
    await client.chunk(open.json<{ uploadId: string }>().uploadId, 0, material.clip)
    forgetMember(visit)
    if (accept(visit, await client.deleteAccount(), [200])) ledger.noMember(member.id)
  },
  async again(visit) {
    forgetMember(visit)
    const answer = await visit.client.logIn(visit.member.name)
    if (answer?.status === 200) await visit.client.deleteAccount()
    else accept(visit, answer, [401])
    visit.ledger.noMember(visit.member.id)
    if (visit.videoId !== undefined) visit.ledger.noVideo(visit.videoId)
  },
}

/** Forgets what is deleted with the account. The comment stays. */
function forgetMember({ ledger, member, videoId, uploadId }: Visit): void {
  ledger.dropWhere(
    (key) =>
      [`member ${member.id}`, `avatar ${member.id}`, `video ${videoId}`].includes(key) ||
      key.startsWith(`like ${member.id} `) ||
      (uploadId !== undefined && key.includes(uploadId)),
  )
}

const SCENES: Record<string, Scene> = {
  upload,
  chunk: upload,
  thumbnail: upload,
  complete: upload,
  job: upload,
  ladder: upload,
  transcode,
  cancel,
  cut,
  files: poster,
  retired: poster,
  montage,
  mix,
  picture: avatar,
  delete: deletion,
  'long-work': longDeletion,
  account,
  'data-export': dataExport,
}

/** Returns the scene that leads a running server to a step; undefined for steps of commands and of the start. */
export function sceneOf(step: Failpoint): Scene | undefined {
  return SCENES[step.split('.')[0] ?? '']
}
