import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Database } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { listMediaOrigins, showElsewhere } from '#server/platform/http/answer/security-headers.ts'
import { siteOrigin } from '#server/platform/request/site-origin.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import { NO_SUCH_CLIP, requireClip } from '#server/video/clip/clip.service.ts'
import { findPlayback } from '#server/video/playback/playback.service.ts'
import { NO_SUCH_VIDEO, requireVideo } from '#server/video/video/video.service.ts'
import { escapeMarkup } from '#shared/embed-code.ts'
import { EMBEDDED_VIDEO_ID, type EmbeddedVideo } from '#shared/embedded-video.ts'
import { type HeadTag, jsonForScript, named, renderHeadTags } from './head-tags.ts'
import { parseId } from './page-head.ts'
import { readPageTemplate } from './page-template.ts'

const EMPTY_ROOT = /<div id="root">.*?<\/div>/s

/** Any site may frame it; it loads our files only. */
function writePolicy(deps: AppDeps): string {
  const elsewhere = listMediaOrigins(deps)
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data:", ...elsewhere].join(' '),
    ["media-src 'self' blob:", ...elsewhere].join(' '),
    ["connect-src 'self'", ...elsewhere].join(' '),
    "font-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join(';')
}

export async function registerEmbedPage(
  app: FastifyInstance,
  { deps, clientFolder }: { deps: AppDeps; clientFolder: string },
): Promise<void> {
  const { db, config } = deps
  const policy = writePolicy(deps)
  const page = await readPageTemplate(join(clientFolder, 'embed.html'))
  for (const { path, find, gone: sentence } of EMBEDDED) {
    app.get<{ Params: { id: string } }>(
      path,
      { onRequest: showElsewhere },
      async (request, reply) => {
        const origin = siteOrigin(request, config)
        const id = parseId(request.params.id)
        const video = id === undefined ? undefined : await find(db, id).catch(orNothing)
        const head = video ? renderHead(video, origin) : null
        reply
          .removeHeader('x-frame-options')
          .header('content-security-policy', policy)
          .header('cache-control', 'no-cache')
          .type('text/html; charset=utf-8')
        if (head !== null) return reply.send(page.before + head + page.after)
        const { name } = await findSiteSettings(db)
        const gone = page.after.replace(EMPTY_ROOT, () =>
          renderGone({ origin, siteName: name, sentence }),
        )
        return reply.code(404).send(`${page.before}<title>${escapeMarkup(name)}</title>${gone}`)
      },
    )
  }
}

const EMBEDDED = [
  { path: '/embed/:id', find: findEmbeddedVideo, gone: NO_SUCH_VIDEO },
  { path: '/embed/clip/:id', find: findEmbeddedClip, gone: NO_SUCH_CLIP },
] as const

function renderHead(video: EmbeddedVideo, origin: string): string {
  const { id, siteName, clip } = video
  const tags: HeadTag[] = [
    { tag: 'title', text: `${clip?.title ?? video.title} · ${siteName}` },
    named('robots', 'noindex, indexifembedded'),
    {
      tag: 'link',
      rel: 'canonical',
      href: clip ? `${origin}/clip/${clip.id}` : `${origin}/video/${id}`,
    },
  ]
  const data = `<script type="application/json" id="${EMBEDDED_VIDEO_ID}">${jsonForScript(video)}</script>`
  return `${renderHeadTags(tags)}\n    ${data}`
}

async function findEmbeddedVideo(db: Database, id: number): Promise<EmbeddedVideo> {
  const asked = { id, viewer: undefined }
  const video = await requireVideo(db, asked)
  const playback = await findPlayback(db, asked)
  const { videoUrl, loudnessLufs, renditions, captions } = playback
  const { soundLanguage, soundTracks, soundNames } = playback
  const { name: siteName } = await findSiteSettings(db)
  const { title, description, thumbnailUrl, hlsUrl, storyboardUrl } = video
  const { duration, width, height, videoFileExists, channel } = video
  return {
    ...{ id, title, description, thumbnailUrl, hlsUrl, storyboardUrl },
    ...{ duration, width, height, videoFileExists },
    ...{ videoUrl, loudnessLufs, renditions, soundLanguage, soundTracks, soundNames, captions },
    channelName: channel?.displayName ?? 'Anonymous',
    siteName,
    clip: null,
  }
}

async function findEmbeddedClip(db: Database, clipId: number): Promise<EmbeddedVideo> {
  const found = await requireClip(db, { id: clipId, viewer: undefined })
  const video = await findEmbeddedVideo(db, found.videoId)
  const { id, title, startSeconds, endSeconds, pictureUrl } = found
  const thumbnailUrl = pictureUrl ?? video.thumbnailUrl
  return { ...video, thumbnailUrl, clip: { id, title, startSeconds, endSeconds } }
}

function orNothing(error: unknown): undefined {
  if (error instanceof AppError && error.kind === 'not-found') return undefined
  throw error
}

function renderGone(input: { origin: string; siteName: string; sentence: string }): string {
  const { origin, siteName, sentence } = input
  return `<main class="embed-gone"><h1>${sentence}</h1><a href="${escapeMarkup(origin)}/" target="_blank" rel="noopener">Go to ${escapeMarkup(siteName)}</a></main>`
}
