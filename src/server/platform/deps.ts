import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { LiveFeed } from './events/live-feed.ts'
import type { Disk } from './files/disk.ts'
import type { MediaStore } from './files/media-store.ts'
import type { RedrawPicture } from './files/picture.ts'
import type { RateLimits } from './request/rate-limits.ts'
import type { Identity } from './viewer.ts'

/**
 * What the server is made of: made once in `main.ts`, and by each api test. What a wing adds it
 * declares beside its own type, by merging into this interface.
 */
export interface AppDeps {
  config: Config
  db: Database
  identity: Identity
  disk: Disk
  media: MediaStore
  redrawPicture: RedrawPicture
  live: LiveFeed
  limits: RateLimits
  /** Aborts when the server is to stop soon: it does all of its work, but load balancers are to look away. */
  draining: AbortSignal
  /** Aborts when the server begins to stop. */
  closing: AbortSignal
  /** Aborts when a stopping server has no more time for what a user waits for. */
  deadline: AbortSignal
}
