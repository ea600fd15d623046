/** Programs from which the desk imports. The others are started at the shell only. */
export const DESK_SOURCES = ['fireshare', 'peertube', 'medal', 'steam', 'mediacms'] as const
export const IMPORT_SOURCE_NAMES = [...DESK_SOURCES, 'address', 'yt-dlp'] as const
export type DeskSource = (typeof DESK_SOURCES)[number]
