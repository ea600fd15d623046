import type { ImportRun } from '#shared/schemas/desk/import.schemas.ts'

export const SOURCE_NAMES: Record<ImportRun['source'], string> = {
  fireshare: 'Fireshare',
  peertube: 'PeerTube',
  medal: 'Medal',
  steam: 'Steam',
  mediacms: 'MediaCMS',
  address: 'An address',
  'yt-dlp': 'yt-dlp',
}

export const STATE_WORDS: Record<ImportRun['state'], string> = {
  running: 'Running',
  stopping: 'Stopping',
  done: 'Done',
  stopped: 'Stopped',
  interrupted: 'Interrupted',
  failed: 'Failed',
}
