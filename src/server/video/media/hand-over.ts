import type { IncomingMessage } from 'node:http'
import { extname, join, sep } from 'node:path'
import type { AppDeps } from '#server/platform/deps.ts'
import { statPlainFile } from '#server/platform/files/plain-files.ts'
import { createProxyCheck } from '#server/platform/http/connection/trusted-proxies.ts'

const PRIVATE_SECONDS = 60
const PUBLIC_SECONDS = 3600
/** Only nginx sees these addresses, and fetches the last slice late in playback. */
const PROXY_SECONDS = 12 * 3600
/** Short, because the file may become private. */
const CDN_CACHE_CONTROL = 'private, max-age=60'
/** Small, and they refer to neighbouring files. */
const STAYS_HERE = new Set(['.m3u8', '.vtt'])

export type HandedFile = {
  key: string
  name: string
  cacheControl: string
  contentDisposition?: string | undefined
  publicPath?: string | undefined
}

/** Decides whether the store, a CDN or the proxy sends a file. */
export function createHandOver({ config, media }: AppDeps) {
  const { xAccelPrefix, trustedProxies } = config
  const { delivery, publicUrl } = config.media
  const { remote } = media
  const mediaFolder = join(config.dataFolder, 'media') + sep
  const isProxy = createProxyCheck(trustedProxies)
  const isForwarded = ({ headers, socket }: IncomingMessage) =>
    headers['x-forwarded-for'] !== undefined && isProxy(socket.remoteAddress ?? '')

  /** Excludes local copies of a store. */
  const isInFolder = async (path: string | undefined) =>
    path?.startsWith(mediaFolder) === true && (await statPlainFile(path)) !== undefined

  return {
    /** Undefined for a file that this process sends. */
    async findAddress(
      file: HandedFile,
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

    asksForProxy: (request: IncomingMessage) =>
      xAccelPrefix !== undefined && (trustedProxies.length === 0 || isForwarded(request)),

    /**
     * `X-Accel-Redirect` target; for a store the signed address without its host, which nginx
     * knows.
     * @returns undefined for a file that this process sends
     */
    async findProxyTarget(key: string, { headers }: IncomingMessage): Promise<string | undefined> {
      const path = media.localPath(key)
      if (await isInFolder(path)) {
        return xAccelPrefix + key.slice('media'.length).split('/').map(encodeURIComponent).join('/')
      }
      // nginx 1.22 truncates sliced answers to If-Range over HTTP/2.
      if (headers['if-range'] !== undefined) return undefined
      // During an outage nginx uses its cache, and the site its copies.
      if (!remote || (path && remote.problem())) return undefined
      const address = new URL(await remote.presign(key, { seconds: PROXY_SECONDS }))
      return `${xAccelPrefix}-store${address.pathname}${address.search}`
    },
  }
}
