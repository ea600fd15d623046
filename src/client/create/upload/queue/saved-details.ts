import { UPLOAD_IDLE_HOURS } from '#shared/limits.ts'
import type { VideoFieldValues } from '../form/video-fields.tsx'

type Defaults = Pick<VideoFieldValues, 'category' | 'tags' | 'isAnonymous'>
type Draft = { details: VideoFieldValues; at: number }
type FileFacts = Pick<File, 'name' | 'size'>

const DEFAULTS_KEY = 'clutch:upload-defaults:'
const DRAFTS_KEY = 'clutch:upload-drafts:'
const DRAFT_LIFETIME_MS = 7 * UPLOAD_IDLE_HOURS * 3_600_000

/** What this browser remembers for a member: what the last upload was of, and what is said of files that wait. */
export function createSavedDetails(storage: Storage | undefined, userId: number) {
  const read = <Value>(key: string): Value | undefined => {
    try {
      return JSON.parse(storage?.getItem(key + userId) ?? 'null') ?? undefined
    } catch {
      return undefined
    }
  }
  const write = (key: string, value: unknown) => {
    try {
      storage?.setItem(key + userId, JSON.stringify(value))
    } catch {
      // A full or forbidden storage remembers nothing.
    }
  }
  const keyOf = ({ name, size }: FileFacts) => `${size}:${name}`
  const readDrafts = () => {
    const drafts = Object.entries(read<Record<string, Draft>>(DRAFTS_KEY) ?? {})
    return Object.fromEntries(drafts.filter(([, { at }]) => Date.now() - at < DRAFT_LIFETIME_MS))
  }
  return {
    defaults: () => read<Defaults>(DEFAULTS_KEY),
    setDefaults: ({ category, tags, isAnonymous }: Defaults) =>
      write(DEFAULTS_KEY, { category, tags, isAnonymous }),
    draft: (file: FileFacts) => readDrafts()[keyOf(file)]?.details,
    setDraft: (file: FileFacts, details: VideoFieldValues) =>
      write(DRAFTS_KEY, { ...readDrafts(), [keyOf(file)]: { details, at: Date.now() } }),
    dropDraft: (file: FileFacts) => {
      const { [keyOf(file)]: dropped, ...others } = readDrafts()
      if (dropped) write(DRAFTS_KEY, others)
    },
  }
}
