import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppOptions } from '#server/app.ts'
import type { Config } from '#server/platform/config.ts'
import type { NewVideoRow } from '#server/platform/db/tables/video.ts'
import { storeFiles } from './stored-files.ts'
import { openTestSite, type TestMember, type TestSite } from './test-site.ts'

const ROOT = '<div id="root"><!--skeleton--><!--/skeleton--></div>'
const PAGE = `<!doctype html><html><head><title>Clutch</title></head><body>${ROOT}</body></html>`

/** As the built page has one for the colours. */
const INLINE = '<script>early()</script>'

/** A site with pages to serve, though not the real ones. */
export async function openSiteWithPages(settings: Partial<Config> = {}, options: AppOptions = {}) {
  const clientFolder = await mkdtemp(join(tmpdir(), 'clutch-client-'))
  await writeFile(join(clientFolder, 'embed.html'), PAGE)
  await writeFile(join(clientFolder, 'index.html'), PAGE.replace('</head>', `${INLINE}</head>`))
  await writeFile(join(clientFolder, 'manifest.webmanifest'), '{"name":"Clutch","start_url":"/"}')
  await writeFile(join(clientFolder, 'service-worker.js'), "const VERSION = '{version}'")
  await mkdir(join(clientFolder, 'assets'))
  await writeFile(join(clientFolder, 'assets', 'app.js'), 'app()')
  const site = await openTestSite(settings, { ...options, clientFolder })
  const close = async () => {
    await site.close()
    await rm(clientFolder, { recursive: true, force: true })
  }
  return { ...site, close }
}

let keys = 0

/** A public video with a poster, its own file and a small one for chats. @returns its id and addresses */
export async function addSharedVideo(
  site: TestSite,
  owner: TestMember,
  fields: Partial<NewVideoRow> & { shareBytes?: number } = {},
) {
  const { shareBytes = 1000, ...row } = fields
  const mediaKey = (++keys).toString(16).padStart(32, 'c')
  const address = (name: string) => `/media/${mediaKey}/${name}`
  const files = {
    video: address('video.mp4'),
    share: address('share.mp4'),
    poster: address('poster.jpg'),
  }
  const id = await site.addVideo(owner, {
    mediaKey,
    duration: 83,
    width: 1920,
    height: 1080,
    videoUrl: files.video,
    shareUrl: files.share,
    thumbnailUrl: files.poster,
    ...row,
  })
  for (const [name, kind, bytes] of [
    ['video.mp4', 'video', 90_000_000],
    ['share.mp4', 'share', shareBytes],
    ['poster.jpg', 'picture', 5],
  ] as const) {
    await storeFiles(site, mediaKey, { [name]: 'bytes' })
    await site.db.insertInto('mediaFiles').values({ videoId: id, name, kind, bytes }).execute()
  }
  return { id, ...files }
}

/** The tags of a page's head by name, as far as a test can read them without a browser. */
export function readTags(html: string): Record<string, string> {
  const found = html.matchAll(/<meta data-page (?:name|property)="([^"]+)" content="([^"]*)">/g)
  return Object.fromEntries([...found].map(([, name = '', content = '']) => [name, content]))
}
