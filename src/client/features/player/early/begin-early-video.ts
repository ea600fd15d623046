import type { EarlyVideo } from '#shared/early-video.ts'
import { firstSource } from '../core/first-source.ts'
import { playerLinesOf } from '../core/player-lines.ts'
import { rememberedPlayer } from '../core/player-memory.ts'
import { linesOf } from '../core/qualities.ts'
import { startSecondsOf } from '../core/time-address.ts'
import { openSource } from '../source/open-source.ts'
import type { Source, SourceKind } from '../source/source.ts'
import { createSourceRelay } from '../source/source-relay.ts'
import styles from './early-stage.css?inline'

/** A video that loads already while the page's scripts are still on their way. */
export type BegunVideo = {
  videoId: number
  videoUrl: string
  hlsUrl: string | null
  video: HTMLVideoElement
  kind: SourceKind
  source: Source
  relay: ReturnType<typeof createSourceRelay>
  /** Takes what was drawn around the video out of the page. */
  removeStage: () => void
  /** Ends the loading. */
  close: () => void
}

/** Shows the video in the place where the player will be, and begins to load it as the player would. */
export function beginEarlyVideo(served: EarlyVideo): BegunVideo {
  const { id: videoId, videoUrl, hlsUrl, duration } = served
  const video = document.createElement('video')
  video.preload = 'metadata'
  video.playsInline = true
  const stage = drawStage(video)
  const playerLines = playerLinesOf(video)
  const choice = { hasHls: hlsUrl !== null, fileLines: linesOf(served), playerLines }
  const kind = firstSource(choice, video)
  const relay = createSourceRelay()
  const { quality, bandwidth } = rememberedPlayer()
  const source = openSource(kind, {
    ...{ video, quality, bandwidth, soundTrack: 0 },
    url: kind === 'progressive' ? videoUrl : (hlsUrl ?? videoUrl),
    startSeconds: startSecondsOf(location.search, duration) ?? 0,
    listener: relay.input,
  })
  // After the video's own request: a browser opens six connections only.
  if (served.thumbnailUrl) video.poster = served.thumbnailUrl
  const close = () => {
    source.close()
    video.removeAttribute('src')
    video.load()
  }
  const removeStage = () => stage.remove()
  return { videoId, videoUrl, hlsUrl, video, kind, source, relay, removeStage, close }
}

/** The page's outline with the picture in its place; its styles show it until the page is there. */
function drawStage(video: HTMLVideoElement): HTMLElement {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  document.adoptedStyleSheets.push(sheet)
  const stage = document.createElement('div')
  stage.className = 'early-stage'
  stage.dataset.theatre = String(rememberedPlayer().isTheatre)
  const content = part('content', part('picture', video))
  stage.append(part('header'), part('sidebar'), content)
  const show = () => document.body.append(stage)
  // Not DOMContentLoaded: that waits for the app.
  if (document.body) show()
  else document.addEventListener('readystatechange', show, { once: true })
  return stage
}

function part(name: string, ...children: HTMLElement[]): HTMLElement {
  const element = document.createElement('div')
  element.className = `early-${name}`
  element.append(...children)
  return element
}
