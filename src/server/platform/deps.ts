import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { LiveFeed } from './events/live-feed.ts'
import type { Disk } from './files/disk.ts'
import type { MediaStore } from './files/media-store.ts'
import type { RedrawPicture } from './files/picture.ts'
import type { Outgoing } from './outgoing/outgoing.ts'
import type { RateLimits } from './request/rate-limits.ts'
import type { Identity } from './viewer.ts'

/** `mail/` and the other groups add their dependencies by declaration merging. */
export interface AppDeps {
  config: Config
  db: Database
  identity: Identity
  disk: Disk
  media: MediaStore
  redrawPicture: RedrawPicture
  live: LiveFeed
  outgoing: Outgoing
  limits: RateLimits
  /** Still serving, but load balancers should go elsewhere. */
  draining: AbortSignal
  closing: AbortSignal
  /** Requests and jobs must end. */
  deadline: AbortSignal
}
