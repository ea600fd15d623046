import type { Page } from 'playwright-core'
import type { SquadView } from '#shared/schemas/squad-view.schemas.ts'
import { makeMatchRecording, makeScene } from './match-recordings.ts'
import { procedureRequest } from './procedure-call.ts'
import { uploadClip } from './shared-clip.ts'
import { until } from './until.ts'

type MatchOptions = {
  folder: string
  /** A page of each member. */
  pages: readonly Page[]
  seconds: number
  /** When each recording begins in the match. */
  starts: readonly number[]
  width?: number
  height?: number
  frameRate?: number
}

/** Calls a procedure as the one signed in on the page. */
export async function callOn<Output>(page: Page, name: string, input: object): Promise<Output> {
  const { method, url, payload } = procedureRequest(name, input)
  const answer =
    method === 'GET'
      ? await page.request.get(url)
      : await page.request.post(url, { data: JSON.parse(payload ?? '{}') })
  if (!answer.ok()) throw new Error(`${name}: ${answer.status()} ${await answer.text()}`)
  return ((await answer.json()) as { result: { data: Output } }).result.data
}

/** Every member uploads a recording of one match, the first proposes a view, and all agree. */
export async function recordTogether(options: MatchOptions) {
  const { folder, pages, seconds, starts, ...picture } = options
  const scene = makeScene(5, seconds + Math.max(...starts))
  const ids: number[] = []
  for (const [index, page] of pages.entries()) {
    const fromSeconds = starts[index] ?? 0
    const path = await makeMatchRecording(folder, {
      ...{ scene, fromSeconds, toSeconds: fromSeconds + seconds, seed: index + 1, ...picture },
      ...{ gainDecibels: -index * 3, noiseDecibels: -30 },
    })
    const metadata = { title: `Last raid, camera ${index + 1}`, category: 'Rust' }
    ids.push(await uploadClip(page, path, metadata))
  }
  const [first, ...others] = pages as [Page, ...Page[]]
  for (const [index, page] of pages.entries()) {
    await until(
      async () => {
        const { hlsUrl } = await callOn<{ hlsUrl: string | null }>(page, 'video.get', {
          id: ids[index],
        })
        return hlsUrl !== null
      },
      { timeoutMs: 600_000 },
    )
  }
  const [videoId, ...otherIds] = ids
  const { id } = await callOn<{ id: number }>(first, 'squadView.propose', { videoId, otherIds })
  for (const [index, page] of others.entries()) {
    await callOn(page, 'squadView.answer', { id, videoId: otherIds[index], isAccepted: true })
  }
  const read = () => callOn<SquadView>(first, 'squadView.get', { id })
  await until(
    async () => (await read()).recordings.every(({ alignment }) => alignment === 'sound'),
    {
      timeoutMs: 120_000,
    },
  )
  const places = (await read()).recordings.map(({ offsetSeconds }) => offsetSeconds ?? Number.NaN)
  return { id, ids, places }
}

/** Notes the picture that each video of the page shows, from now on. */
export const watchFrames = (page: Page): Promise<void> =>
  page.evaluate(() => {
    type Shown = { mediaTime: number; at: number; rate: number }
    const shown = new Map<HTMLVideoElement, Shown>()
    Object.assign(window, { shownFrames: shown })
    for (const video of document.querySelectorAll('video')) {
      const note = (_: number, { mediaTime, expectedDisplayTime }: VideoFrameCallbackMetadata) => {
        shown.set(video, { mediaTime, at: expectedDisplayTime, rate: video.playbackRate })
        video.requestVideoFrameCallback(note)
      }
      video.requestVideoFrameCallback(note)
    }
  })

/**
 * How far the shown pictures are from each other, in seconds of the match, if all play.
 * @param places when each begins, in the order of the pictures
 */
export const framesApart = (page: Page, places: readonly number[]): Promise<number | undefined> =>
  page.evaluate((offsets) => {
    type Shown = { mediaTime: number; at: number; rate: number }
    const { shownFrames } = window as unknown as { shownFrames: Map<HTMLVideoElement, Shown> }
    const now = performance.now()
    const times = [...document.querySelectorAll('video')].map((video, index) => {
      const shown = shownFrames.get(video)
      if (!shown || video.paused || video.seeking) return Number.NaN
      return shown.mediaTime + ((now - shown.at) / 1000) * shown.rate + (offsets[index] ?? 0)
    })
    if (times.some(Number.isNaN)) return undefined
    return Math.max(...times) - Math.min(...times)
  }, places)
