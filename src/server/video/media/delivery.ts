import type { IncomingMessage } from 'node:http'
import { extname, join, sep } from 'node:path'
import type { AppDeps } from '#server/platform/deps.ts'
import { statPlainFile } from '#server/platform/files/plain-files.ts'
import { createProxyCheck } from '#server/platform/request/trusted-proxies.ts'

/** How long a presigned address is valid for a private and for a public file. */
const PRIVATE_SECONDS = 60
const PUBLIC_SECONDS = 3600
/** Only nginx sees these addresses; it fetches the last slice of a file when the player gets there. */
const PROXY_SECONDS = 12 * 3600
/** A redirect to the CDN is requested again after this, as the file may not be public any more. */
const CDN_CACHE_CONTROL = 'private, max-age=60'
/** Small files that name files beside them. */
const STAYS_HERE = new Set(['.m3u8', '.vtt'])

export type DeliveredFile = {
  /** The key in the store. */
  key: string
  name: string
  cacheControl: string
  /** Set for a download. */
  contentDisposition?: string | undefined
  /** The path at which a CDN requests it; set for a public file. */
  publicPath?: string | undefined
}

/** Decides who sends a file instead of this process: the store, a CDN, or the proxy in front. */
export function createDelivery({ config, media }: AppDeps) {
  const { xAccelPrefix, trustedProxies } = config
  const { delivery, publicUrl } = config.media
  const { remote } = media
  const mediaFolder = join(config.dataFolder, 'media') + sep
  const isProxy = createProxyCheck(trustedProxies)
  const isForwarded = ({ headers, socket }: IncomingMessage) =>
    headers['x-forwarded-for'] !== undefined && isProxy(socket.remoteAddress ?? '')

  /** Whether a file is in the media folder. */
  const isInFolder = async (path: string | undefined) =>
    path?.startsWith(mediaFolder) === true && (await statPlainFile(path)) !== undefined

  return {
    /** @returns the address to redirect to, with its cache headers; undefined for a file that this process sends */
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

    /** Whether the request comes through the proxy in front, which can be told what to send. */
    asksForProxy: (request: IncomingMessage) =>
      xAccelPrefix !== undefined && (trustedProxies.length === 0 || isForwarded(request)),

    /**
     * The internal path of what nginx sends: a file of the media folder, or one of the store, whose host its configuration
     * names.
     * @returns undefined for a file that this process sends
     */
    async findProxyTarget(key: string, { headers }: IncomingMessage): Promise<string | undefined> {
      const path = media.localPath(key)
      if (await isInFolder(path)) {
        return xAccelPrefix + key.slice('media'.length).split('/').map(encodeURIComponent).join('/')
      }
      // nginx 1.22 sends too few bytes of several slices over HTTP/2 for a request with If-Range.
      if (headers['if-range'] !== undefined) return undefined
      // While the store is away, nginx has its cache, and the site its copies.
      if (!remote || (path && remote.problem())) return undefined
      const address = new URL(await remote.presign(key, { seconds: PROXY_SECONDS }))
      return `${xAccelPrefix}-store${address.pathname}${address.search}`
    },
  }
}
