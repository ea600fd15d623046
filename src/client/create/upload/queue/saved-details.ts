import { UPLOAD_IDLE_HOURS } from '#shared/limits.ts'
import type { VideoFieldValues } from '../form/video-fields.tsx'
import { FETCHING_KEY, WAITING_KEY } from './tray/tray-request.ts'

type Defaults = Pick<VideoFieldValues, 'category' | 'tags' | 'isAnonymous'>
type Draft = { details: VideoFieldValues; at: number }
export type FileFacts = Pick<File, 'name' | 'size'>
/** The thumbnail itself cannot be stored. */
export type WaitingFile = FileFacts & { hasThumbnail: boolean }
type Waiting = WaitingFile & { at: number }

const DEFAULTS_KEY = 'clutch:upload-defaults:'
const DRAFTS_KEY = 'clutch:upload-drafts:'
const LIFETIME_MS = 7 * UPLOAD_IDLE_HOURS * 3_600_000

/**
 * Local storage per member: last details, waiting files and their details. From the first byte the
 * server knows the file.
 */
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
      if (value === undefined) storage?.removeItem(key + userId)
      else storage?.setItem(key + userId, JSON.stringify(value))
    } catch {
      // Without storage nothing is remembered.
    }
  }
  const keyOf = ({ name, size }: FileFacts) => `${size}:${name}`
  const readDrafts = () => {
    const drafts = Object.entries(read<Record<string, Draft>>(DRAFTS_KEY) ?? {})
    return Object.fromEntries(drafts.filter(([, { at }]) => Date.now() - at < LIFETIME_MS))
  }
  const readWaiting = () =>
    (read<Waiting[]>(WAITING_KEY) ?? []).filter(({ at }) => Date.now() - at < LIFETIME_MS)
  /** This tab's files, as last stored; other entries belong to other tabs. */
  let noted: readonly WaitingFile[] = []
  return {
    waiting: (): WaitingFile[] => readWaiting(),
    /** Replaces this tab's files. */
    noteWaiting: (files: readonly WaitingFile[]) => {
      if (JSON.stringify(files) === JSON.stringify(noted)) return
      const keys = [...noted, ...files].map(keyOf)
      const others = readWaiting().filter((file) => !keys.includes(keyOf(file)))
      const own = files.map((file) => ({ ...file, at: Date.now() }))
      noted = files
      const all = [...others, ...own]
      write(WAITING_KEY, all.length > 0 ? all : undefined)
    },
    /** So that the tray comes back after a reload. */
    noteFetching: (isFetching: boolean) => {
      if (isFetching !== (read(FETCHING_KEY) === true)) {
        write(FETCHING_KEY, isFetching ? true : undefined)
      }
    },
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
