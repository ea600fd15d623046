import { connection } from '#client/platform/connection.ts'
import { errorSentence, errorStatus, fieldConflicts } from '#client/platform/error-message.ts'
import { postForm } from '#client/platform/post-form.ts'
import type { trpcClient } from '#client/trpc.ts'
import type { InitializeUpload } from '#shared/schemas/upload.schemas.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { UploadCallError, type UploadTransport } from '../transfer/upload-transport.ts'
import { type SendableDetails, sendableDetails } from './queue-item.ts'
import type { QueueStore } from './queue-store.ts'

/** Debounce of typing. */
const PAUSE_MS = 500
const RETRY_MS = 5000
/** The upload is over: changes go to its video. */
const OVER_STATUSES = [404, 409, 410]

const CHANGED_ELSEWHERE =
  'Not saved: it was changed elsewhere meanwhile. Edit its details to choose what stays.'

/** As sent with an upload. */
type SentDetails = Pick<InitializeUpload, 'metadata'>['metadata']

type Options = {
  client: typeof trpcClient
  store: QueueStore
  transport: Pick<UploadTransport, 'sendThumbnail'>
}

type Unsaved = { details: boolean; thumbnail: boolean }

/** Participants are saved with the video. */
type Said = Partial<Omit<SendableDetails, 'participants' | 'visibility'>> & {
  /** Omitted for the default. */
  visibility?: Visibility
}

function toSaid({ participants: _, visibility, ...details }: SentDetails): Said {
  return { ...details, ...(visibility !== null && { visibility }) } as Said
}

/** Changed fields with their known server values. */
function editOf(said: Said, known: Said | undefined) {
  if (!known) return said
  const names = (Object.keys(said) as (keyof Said)[]).filter(
    (name) => JSON.stringify(said[name]) !== JSON.stringify(known[name]),
  )
  const pick = (from: Said): Said =>
    Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]))
  return { ...pick(said), was: pick(known) }
}

export type DetailsSaver = ReturnType<typeof createDetailsSaver>

/** Saves to the open upload, then to the video. */
export function createDetailsSaver({ client, store, transport }: Options) {
  const unsaved = new Map<number, Unsaved>()
  const timers = new Map<number, ReturnType<typeof setTimeout>>()
  const underWay = new Map<number, Promise<void>>()
  /** Last known server values. */
  const known = new Map<number, Said>()

  /** Retries failures; shows refusals in the row. */
  async function save(id: number): Promise<void> {
    const change = unsaved.get(id)
    const item = store.find(id)
    const isOpened = item?.uploadId !== undefined || item?.videoId !== undefined
    if (!change || !item || !isOpened) return
    unsaved.delete(id)
    const again = (failed: Partial<Unsaved>) => {
      const { details = false, thumbnail = false } = unsaved.get(id) ?? {}
      unsaved.set(id, {
        details: details || failed.details === true,
        thumbnail: thumbnail || failed.thumbnail === true,
      })
    }
    let isToRetry = false
    if (change.details) {
      await saveDetails(id).catch((error) => failed(error, { details: true }))
    }
    if (change.thumbnail) {
      await saveThumbnail(id).catch((error) => failed(error, { thumbnail: true }))
    }
    store.change(id, { isUnsaved: isToRetry })
    if (isToRetry && !timers.has(id)) saveLater(id, RETRY_MS)

    function failed(error: unknown, part: Partial<Unsaved>): void {
      const conflicts = fieldConflicts(error)
      if (conflicts) {
        again(part)
        store.change(id, { conflicts, refusal: CHANGED_ELSEWHERE })
        return
      }
      const status = error instanceof UploadCallError ? error.status : errorStatus(error)
      const isOver = status !== undefined && OVER_STATUSES.includes(status)
      if (status === undefined || status >= 500 || status === 401 || status === 429 || isOver) {
        // A deleted video needs no saving.
        if (!isOver || store.find(id)?.videoId === undefined) again(part)
        if (!isOver) isToRetry = true
        return
      }
      const sentence = error instanceof UploadCallError ? error.sentence : errorSentence(error)
      store.change(id, {
        refusal: part.thumbnail
          ? `The thumbnail was not taken: ${sentence}`
          : `Not saved: ${sentence}`,
        // A refused picture is not sent again.
        ...(part.thumbnail && { thumbnail: undefined }),
      })
    }
  }

  async function saveDetails(id: number): Promise<void> {
    const item = store.find(id)
    if (!item) return
    const metadata = sendableDetails(item)
    if (item.videoId !== undefined) {
      // Participants are saved separately.
      const edit = editOf(toSaid(metadata), known.get(id))
      await client.video.edit.mutate({ id: item.videoId, ...edit })
    } else if (item.uploadId) {
      const said = known.get(id)
      const was = said && { visibility: null, ...said }
      await client.upload.saveDetails.mutate({ uploadId: item.uploadId, metadata, was })
    }
    known.set(id, toSaid(metadata))
    store.change(id, { conflicts: [] })
  }

  async function saveThumbnail(id: number): Promise<void> {
    const item = store.find(id)
    if (!item?.thumbnail) return
    if (item.videoId !== undefined) {
      const form = new FormData()
      form.append('thumbnail', item.thumbnail)
      await postForm(`/api/videos/${item.videoId}/thumbnail`, form)
    } else if (item.uploadId) {
      const input = { uploadId: item.uploadId, thumbnail: item.thumbnail }
      const signal = new AbortController().signal
      const { thumbnailUrl } = await transport.sendThumbnail(input, { signal })
      store.change(id, { thumbnailUrl })
    }
  }

  /** Serialized per item. */
  function saveNow(id: number): Promise<void> {
    clearTimeout(timers.get(id))
    timers.delete(id)
    const work = (underWay.get(id) ?? Promise.resolve()).then(() => save(id))
    underWay.set(id, work)
    return work
  }

  function saveLater(id: number, milliseconds: number): void {
    clearTimeout(timers.get(id))
    timers.set(
      id,
      setTimeout(() => void saveNow(id), milliseconds),
    )
  }

  /** Saves after a pause. */
  function noteChange(id: number, change: Partial<Unsaved>): void {
    const { details = false, thumbnail = false } = unsaved.get(id) ?? {}
    unsaved.set(id, {
      details: details || change.details === true,
      thumbnail: thumbnail || change.thumbnail === true,
    })
    store.change(id, { refusal: undefined })
    saveLater(id, PAUSE_MS)
  }

  connection.onBack(() => {
    for (const id of [...timers.keys()]) void saveNow(id)
  })

  return {
    noteChange,
    noteSent(id: number, details: SentDetails): void {
      known.set(id, toSaid(details))
    },
    /** Resolves a conflict: the local value overwrites. */
    resolve(id: number, field: string): void {
      const conflicts = store.find(id)?.conflicts ?? []
      const theirs = conflicts.find((conflict) => conflict.field === field)?.theirs
      known.set(id, { ...known.get(id), [field]: theirs })
      store.change(id, { conflicts: conflicts.filter((conflict) => conflict.field !== field) })
      noteChange(id, { details: true })
    },
    isSaved: (id: number): boolean => !unsaved.has(id),
    saveNow,
  }
}
