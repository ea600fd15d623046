/** A place that a recorder named, such as by its key for markers; times are the file's own. */
export type SourceChapter = { seconds: number; title: string | null }
