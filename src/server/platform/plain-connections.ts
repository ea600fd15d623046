import { isLoopbackHost } from '#shared/local-host.ts'
import type { Config } from './config.ts'
import type { S3Place } from './s3-place.ts'

/** Returns a sentence for each store on another machine that is reached over plain HTTP. */
export function listPlainStores({ media, offsite }: Pick<Config, 'media' | 'offsite'>): string[] {
  const backups = offsite && 's3' in offsite.place ? offsite.place.s3 : undefined
  const places: [string, 'folder' | S3Place | undefined][] = [
    ['MEDIA_S3_ENDPOINT', media.store],
    ['MEDIA_OLD_S3_ENDPOINT', media.old],
    ['BACKUP_S3_ENDPOINT', backups],
  ]
  return places.flatMap(([variable, place]) => {
    if (place === undefined || place === 'folder' || !isPlain(place.endpoint)) return []
    const { host } = new URL(place.endpoint)
    return [`Files go to ${host} without encryption: ${variable} begins with http://.`]
  })
}

function isPlain(endpoint: string): boolean {
  const { protocol, hostname } = new URL(endpoint)
  return protocol === 'http:' && !isLoopbackHost(hostname)
}
