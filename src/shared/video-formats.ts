/** Names with their extensions. */
const VIDEO_FORMATS: readonly [name: string, ...endings: string[]][] = [
  ['MP4', 'mp4', 'm4v'],
  ['MOV', 'mov', 'qt'],
  ['3GP', '3gp', '3g2'],
  ['MKV', 'mkv'],
  ['WebM', 'webm'],
  ['AVI', 'avi', 'divx'],
  ['FLV', 'flv', 'f4v'],
  ['TS', 'ts', 'm2t'],
  ['M2TS', 'm2ts', 'mts'],
  ['MPG', 'mpg', 'mpeg', 'm2p'],
  ['VOB', 'vob'],
  ['WMV', 'wmv', 'asf'],
  ['OGV', 'ogv', 'ogm'],
]

const NAMES = VIDEO_FORMATS.map(([name]) => name)

/** 'MP4, MOV, … or OGV'. */
export const VIDEO_FORMAT_NAMES = `${NAMES.slice(0, -1).join(', ')} or ${NAMES.at(-1)}`

/** Without a dot. */
export const VIDEO_EXTENSIONS = VIDEO_FORMATS.flatMap(([, ...endings]) => endings)
