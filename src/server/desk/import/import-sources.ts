import type { ImportedVideo } from '#server/video/video/imported-video.queries.ts'
import { address } from './address-library.ts'
import { fireshare } from './fireshare-library.ts'
import type { ImportSource } from './foreign-library.ts'
import { medal } from './medal-library.ts'
import { mediacms } from './mediacms-library.ts'
import { peertube } from './peertube-library.ts'
import { steam } from './steam-library.ts'
import { ytDlp } from './yt-dlp-library.ts'

export const IMPORT_SOURCES: Record<ImportedVideo['source'], ImportSource> = {
  address,
  fireshare,
  medal,
  mediacms,
  peertube,
  steam,
  'yt-dlp': ytDlp,
}
