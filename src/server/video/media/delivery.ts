import type { IncomingMessage } from 'node:http'
import { extname, join, sep } from 'node:path'
import type { AppDeps } from '#server/platform/deps.ts'
import { statPlainFile } from '#server/platform/files/plain-files.ts'
import { createProxyCheck } from '#server/platform/request/trusted-proxies.ts'

/** Validity of presigned addresses. */
const PRIVATE_SECONDS = 60
const PUBLIC_SECONDS = 3600
/** nginx fetches later slices when the player gets there; nobody else sees these addresses. */
const PROXY_SECONDS = 12 * 3600
/** It may become private. */
const CDN_CACHE_CONTROL = 'private, max-age=60'
/** They refer to files beside them. */
const STAYS_HERE = new Set(['.m3u8', '.vtt'])

export type DeliveredFile = {
  key: string
  name: string
  cacheControl: string
  contentDisposition?: string | undefined
  publicPath?: string | undefined
}

/** Whether the store, a CDN or the proxy sends a file instead. */
export function createDelivery({ config, media }: AppDeps) {
  const { xAccelPrefix, trustedProxies } = config
  const { delivery, publicUrl } = config.media
  const { remote } = media
  const mediaFolder = join(config.dataFolder, 'media') + sep
  const isProxy = createProxyCheck(trustedProxies)
  const isForwarded = ({ headers, socket }: IncomingMessage) =>
    headers['x-forwarded-for'] !== undefined && isProxy(socket.remoteAddress ?? '')

  const isInFolder = async (path: string | undefined) =>
    path?.startsWith(mediaFolder) === true && (await statPlainFile(path)) !== undefined

  return {
    /** @returns redirect with cache headers; undefined when this process sends */
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

    asksForProxy: (request: IncomingMessage) =>
      xAccelPrefix !== undefined && (trustedProxies.length === 0 || isForwarded(request)),

    /**
     * For `X-Accel-Redirect`: in the media folder, or at the store in nginx's configuration.
     * @returns undefined when this process sends
     */
    async findProxyTarget(key: string, { headers }: IncomingMessage): Promise<string | undefined> {
      const path = media.localPath(key)
      if (await isInFolder(path)) {
        return xAccelPrefix + key.slice('media'.length).split('/').map(encodeURIComponent).join('/')
      }
      // nginx 1.22 sends too few bytes of several slices over HTTP/2 for If-Range.
      if (headers['if-range'] !== undefined) return undefined
      // In an outage nginx has its cache and this process its copies.
      if (!remote || (path && remote.problem())) return undefined
      const address = new URL(await remote.presign(key, { seconds: PROXY_SECONDS }))
      return `${xAccelPrefix}-store${address.pathname}${address.search}`
    },
  }
}
