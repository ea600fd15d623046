import type { IncomingMessage } from 'node:http'
import { extname, join, sep } from 'node:path'
import type { AppDeps } from '#server/platform/deps.ts'
import { statPlainFile } from '#server/platform/files/plain-files.ts'
import { createProxyCheck } from '#server/platform/request/trusted-proxies.ts'

/** How long an address of the store opens a file that is not for everybody, and one that is. */
const PRIVATE_SECONDS = 60
const PUBLIC_SECONDS = 3600
/** Nobody but nginx sees its addresses; it fetches the last slice when who plays gets there. */
const PROXY_SECONDS = 12 * 3600
/** What leads to the CDN is asked for again when somebody may have taken the file from the public. */
const CDN_CACHE_CONTROL = 'private, max-age=60'
/** Small, and they name other files beside them. */
const STAYS_HERE = new Set(['.m3u8', '.vtt'])

export type DeliveredFile = {
  /** In the store. */
  key: string
  name: string
  cacheControl: string
  /** Of a download. */
  contentDisposition?: string | undefined
  /** Where a CDN asks for it, for a file that everybody may have. */
  publicPath?: string | undefined
}

/** Decides who else sends a file that somebody may have: the store, a CDN, or the proxy in front. */
export function createDelivery({ config, media }: AppDeps) {
  const { xAccelPrefix, trustedProxies } = config
  const { delivery, publicUrl } = config.media
  const { remote } = media
  const mediaFolder = join(config.dataFolder, 'media') + sep
  const isProxy = createProxyCheck(trustedProxies)
  const isForwarded = ({ headers, socket }: IncomingMessage) =>
    headers['x-forwarded-for'] !== undefined && isProxy(socket.remoteAddress ?? '')

  /** Whether a file lies where all files do that are in no store elsewhere. */
  const isInFolder = async (path: string | undefined) =>
    path?.startsWith(mediaFolder) === true && (await statPlainFile(path)) !== undefined

  return {
    /** @returns where the client finds the file and how long it may remember that; undefined for what is sent from here */
    async findAddress(
      file: DeliveredFile,
    ): Promise<{ location: string; cacheControl: string } | undefined> {
      const { key, publicPath, contentDisposition, cacheControl } = file
      if (STAYS_HERE.has(extname(file.name))) return undefined
      if (publicPath && publicUrl) {
        return { location: publicUrl + publicPath, cacheControl: CDN_CACHE_CONTROL }
      }
      if (delivery !== 'redirect' || !remote || remote.problem()) return undefined
      if (await isInFolder(media.localPath(key))) return undefined
      const seconds = publicPath ? PUBLIC_SECONDS : PRIVATE_SECONDS
      const location = await remote.presign(key, { seconds, contentDisposition })
      const isKept = !cacheControl.includes('no-store')
      return { location, cacheControl: isKept ? `private, max-age=${seconds / 2}` : cacheControl }
    },

    /** Whether who asks is the proxy in front, which is instructed what to send. */
    asksForProxy: (request: IncomingMessage) =>
      xAccelPrefix !== undefined && (trustedProxies.length === 0 || isForwarded(request)),

    /**
     * What nginx is to send: a file of the media folder, or one of the store, of whose address it is told all but the host,
     * which its configuration knows.
     * @returns undefined for what is sent from here
     */
    async findProxyTarget(key: string, { headers }: IncomingMessage): Promise<string | undefined> {
      const path = media.localPath(key)
      if (await isInFolder(path)) {
        return xAccelPrefix + key.slice('media'.length).split('/').map(encodeURIComponent).join('/')
      }
      // nginx 1.22 sends too few bytes of several slices over HTTP/2 when it is asked with If-Range.
      if (headers['if-range'] !== undefined) return undefined
      // While the store is away nginx has what it has kept, and the site its copies.
      if (!remote || (path && remote.problem())) return undefined
      const address = new URL(await remote.presign(key, { seconds: PROXY_SECONDS }))
      return `${xAccelPrefix}-store${address.pathname}${address.search}`
    },
  }
}
