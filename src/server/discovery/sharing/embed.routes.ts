import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Database } from '#server/platform/db/database.ts'
import type { AppDeps } from '#server/platform/deps.ts'
import { AppError } from '#server/platform/errors.ts'
import { showElsewhere } from '#server/platform/http/answer/security-headers.ts'
import { siteOrigin } from '#server/platform/http/connection/site-origin.ts'
import { findSiteSettings } from '#server/platform/site/site.queries.ts'
import { findPlayback } from '#server/video/media/playback.service.ts'
import { NO_SUCH_VIDEO, requireVideo } from '#server/video/video/video.service.ts'
import { escapeMarkup } from '#shared/embed-code.ts'
import { EMBEDDED_VIDEO_ID, type EmbeddedVideo } from '#shared/embedded-video.ts'
import { type HeadTag, jsonForScript, named, renderHeadTags } from './head-tags.ts'
import { parseId } from './page-head.ts'
import { readPageTemplate } from './page-template.ts'

const EMPTY_ROOT = '<div id="root"></div>'

/** Any site may frame it; it may load nothing but what is ours. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  'frame-ancestors *',
].join(';')

/** `/embed/{id}`: the player alone, for other sites' frames. It shows what visitors may see, whoever asks. */
export async function registerEmbedPage(
  app: FastifyInstance,
  { deps, clientFolder }: { deps: AppDeps; clientFolder: string },
): Promise<void> {
  const { db, config } = deps
  const page = await readPageTemplate(join(clientFolder, 'embed.html'))
  app.get<{ Params: { id: string } }>(
    '/embed/:id',
    { onRequest: showElsewhere },
    async (request, reply) => {
      const origin = siteOrigin(request, config)
      const id = parseId(request.params.id)
      const head = id === undefined ? null : await renderHead(db, { id, origin })
      reply
        .removeHeader('x-frame-options')
        .header('content-security-policy', POLICY)
        .header('cache-control', 'no-cache')
        .type('text/html; charset=utf-8')
      if (head !== null) return reply.send(page.before + head + page.after)
      const { name } = await findSiteSettings(db)
      const gone = page.after.replace(EMPTY_ROOT, () => renderGone({ origin, siteName: name }))
      return reply.code(404).send(`${page.before}<title>${escapeMarkup(name)}</title>${gone}`)
    },
  )
}

async function renderHead(
  db: Database,
  { id, origin }: { id: number; origin: string },
): Promise<string | null> {
  const video = await findEmbeddedVideo(db, id)
  if (!video) return null
  const tags: HeadTag[] = [
    { tag: 'title', text: `${video.title} · ${video.siteName}` },
    named('robots', 'noindex, indexifembedded'),
    { tag: 'link', rel: 'canonical', href: `${origin}/video/${id}` },
  ]
  const data = `<script type="application/json" id="${EMBEDDED_VIDEO_ID}">${jsonForScript(video)}</script>`
  return `${renderHeadTags(tags)}\n    ${data}`
}

async function findEmbeddedVideo(db: Database, id: number): Promise<EmbeddedVideo | undefined> {
  const asked = { id, viewer: undefined }
  try {
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
    }
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not-found') return undefined
    throw error
  }
}

function renderGone({ origin, siteName }: { origin: string; siteName: string }): string {
  return `<main class="embed-gone"><h1>${NO_SUCH_VIDEO}</h1><a href="${escapeMarkup(origin)}/" target="_blank" rel="noopener">Go to ${escapeMarkup(siteName)}</a></main>`
}
