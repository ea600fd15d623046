import type { trpcClient } from '#client/trpc.ts'
import { readContainer } from '#shared/container-facts/read-container.ts'
import { titleOfFile } from '#shared/file-title.ts'
import { DEFAULT_CATEGORY, MAX_QUEUED_FILES } from '#shared/limits.ts'
import type { Fetch } from '#shared/schemas/fetch.schemas.ts'
import type { UnfinishedUpload } from '#shared/schemas/upload.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { fileKindProblem } from '../form/file-bytes.ts'
import { videoFileProblem } from '../form/video-file.ts'
import { recogniseName } from '../recording/recognise-file.ts'
import { identityOf, type UploadMemory } from '../transfer/upload-memory.ts'
import { type ChosenFiles, leftOutSentence } from './chosen-files.ts'
import type { createOtherTabs } from './other-tabs.ts'
import { fileKey, isEditable, isOver, type QueueItem } from './queue-item.ts'
import type { QueueStore } from './queue-store.ts'
import { findSameVideo } from './same-files.ts'
import type { createSavedDetails, FileFacts, WaitingFile } from './saved-details.ts'

const OTHER_TAB = 'This file is uploading in another tab.'
const UNREADABLE = 'The file was changed, moved or deleted. Choose it again.'

export type QueueMember = {
  userId: number
  saved: ReturnType<typeof createSavedDetails>
  isAnonymous: boolean
  categories: readonly string[]
  maxVideoBytes: number
}

/** Without saved details, as for the upload form. */
export type FormMember = Pick<QueueMember, 'userId' | 'isAnonymous' | 'categories'> &
  Partial<QueueMember>

type Options = {
  client: typeof trpcClient
  store: QueueStore
  memory: UploadMemory
  otherTabs: ReturnType<typeof createOtherTabs>
  /** A file can be sent. */
  onWaiting: () => void
}

let nextId = 1

const EMPTY = {
  file: undefined,
  thumbnail: undefined,
  isThumbnailLost: false,
  thumbnailUrl: null,
  sentence: undefined,
  same: undefined,
  uploadId: undefined,
  isRejoined: false,
  percentStored: 0,
  percentPrepared: 0,
  videoId: undefined,
  fetchId: undefined,
  replaces: undefined,
  isUnsaved: false,
  refusal: undefined,
  conflicts: [],
  engine: undefined,
} satisfies Partial<QueueItem>

/** Copied from the replaced video. */
export type Replaced = Pick<
  Video,
  'id' | 'title' | 'description' | 'category' | 'tags' | 'isAnonymous'
>

/** An item for an unfinished upload on the server, whose file has to be chosen again. */
export function unfinishedItem(upload: UnfinishedUpload, userId: number): QueueItem {
  const { title, description, category, tags, isAnonymous, visibility, squadId, participants } =
    upload
  return {
    ...EMPTY,
    id: nextId++,
    userId,
    name: upload.fileName,
    size: upload.fileSize,
    details: { title, description, category, tags, isAnonymous, visibility, squadId, participants },
    recognised: undefined,
    thumbnailUrl: upload.thumbnailUrl,
    state: 'unfinished',
    uploadId: upload.id,
    percentStored: Math.floor((upload.chunksStored / upload.chunkCount) * 100),
  }
}

/** An item for a file that the site fetches. */
export const fetchedItem = (fetch: Fetch, member: QueueMember): QueueItem => {
  const name = `${fetch.fileName} from ${fetch.host}`
  const item = itemOf({ name, size: fetch.size ?? 0 }, member)
  return {
    ...item,
    details: { ...item.details, title: fetch.title },
    recognised: undefined,
    state: 'fetching',
    fetchId: fetch.id,
  }
}

/** An item from a closed tab, whose file has to be chosen again. */
export const missingItem = (file: WaitingFile, member: QueueMember): QueueItem => ({
  ...itemOf(file, member),
  state: 'unfinished',
  isThumbnailLost: file.hasThumbnail,
})

export const newItem = (file: File, member: FormMember): QueueItem => ({
  ...itemOf(file, member),
  file,
})

/** An item with the details entered earlier for this file, or those of the last upload. */
function itemOf(file: FileFacts, member: FormMember): QueueItem {
  const { userId, saved, categories } = member
  const fresh = {
    title: titleOfFile(file.name),
    description: '',
    category: DEFAULT_CATEGORY,
    tags: [],
    isAnonymous: member.isAnonymous,
    visibility: null,
    squadId: null,
    participants: [],
    ...saved?.defaults(),
  }
  const details = { ...fresh, ...saved?.draft(file) }
  // The game may have been archived since.
  const category = categories.includes(details.category) ? details.category : DEFAULT_CATEGORY
  return {
    ...EMPTY,
    id: nextId++,
    userId,
    name: file.name,
    size: file.size,
    details: { ...details, category },
    recognised: recogniseName(file, categories),
    state: 'checking',
  }
}

/** Checks files before they are sent. */
export function createIntake({ client, store, memory, otherTabs, onWaiting }: Options) {
  let checking = Promise.resolve()

  /** A waiting item receives the file. */
  function isKnown(file: File, member: QueueMember): boolean {
    const key = fileKey(file)
    const known = store.snapshot().items.find((item) => fileKey(item) === key && !isOver(item))
    if (!known) return false
    if (known.state !== 'unfinished') return true
    if (known.uploadId) {
      const identity = identityOf(file, member.userId)
      const completing = memory.recall(identity)?.completing ?? false
      memory.remember(identity, { uploadId: known.uploadId, completing })
    }
    const recognised = recogniseName(file, member.categories)
    const change = { file, recognised, isRejoined: true, sentence: undefined }
    store.advance(known.id, 'choose-file', change)
    onWaiting()
    return true
  }

  function admit(file: File, member: QueueMember): QueueItem {
    const item = newItem(file, member)
    const problem = videoFileProblem(file, member.maxVideoBytes)
    if (problem) return { ...item, state: 'refused', sentence: problem }
    if (otherTabs.upload(fileKey(file))) return { ...item, state: 'failed', sentence: OTHER_TAB }
    return item
  }

  /** One question for files added together. */
  function askForBatch(added: readonly QueueItem[]): void {
    const { batch } = store.snapshot()
    const ids = [...batch, ...added.filter(isEditable).map(({ id }) => id)]
    if (ids.length > 1) store.set({ batch: ids })
  }

  /** Undefined while the upload of the file is open. */
  async function findSame(
    { file, userId }: QueueItem,
    isWanted: () => boolean,
  ): Promise<QueueItem['same']> {
    if (!file || memory.recall(identityOf(file, userId))) return undefined
    return findSameVideo(client, file, isWanted)
  }

  async function check(id: number, { categories }: QueueMember): Promise<void> {
    const item = store.find(id)
    if (item?.state !== 'checking' || !item.file) return
    const read = await fileKindProblem(item.file).then(
      (problem) => ({ problem }),
      () => undefined,
    )
    if (!read) {
      store.advance(id, 'lose-file', { file: undefined, sentence: UNREADABLE })
    } else if (read.problem) {
      store.advance(id, 'refuse', { sentence: read.problem })
    } else {
      const container = await readContainer(item.file)
      if (item.replaces === undefined) {
        store.change(id, { recognised: recogniseName(item.file, categories, container) })
      }
      const isWanted = () => store.find(id)?.state === 'checking'
      const same = await findSame(item, isWanted)
      if (!isWanted()) return
      store.advance(id, same ? 'found-same' : 'found-new', { same })
    }
    onWaiting()
  }

  return {
    findSame,
    /** The file replaces a recording. */
    addReplacement(file: File, video: Replaced, member: QueueMember): void {
      if (isKnown(file, member)) return
      const { id, title, description, category, tags, isAnonymous } = video
      const own = { title, description, category, tags, isAnonymous }
      const details = { ...own, visibility: null, squadId: null, participants: [] }
      const item = { ...admit(file, member), details, recognised: undefined, replaces: id }
      store.set({ items: [...store.snapshot().items, item], notice: undefined })
      checking = checking.then(() => check(item.id, member))
    },
    add(chosen: ChosenFiles, member: QueueMember): void {
      const fresh = chosen.files.filter((file) => !isKnown(file, member))
      const { items } = store.snapshot()
      const room = Math.max(0, MAX_QUEUED_FILES - items.filter((item) => !isOver(item)).length)
      const added = fresh.slice(0, room).map((file) => admit(file, member))
      const excess = fresh.length - added.length
      const notice = leftOutSentence({
        ...chosen,
        files: chosen.files.slice(0, chosen.files.length - excess),
        leftOutCount: chosen.leftOutCount + excess,
      })
      store.set({ items: [...items.filter((one) => store.find(one.id)), ...added], notice })
      askForBatch(added)
      for (const { id } of added) checking = checking.then(() => check(id, member))
    },
    checkAgain(id: number, member: QueueMember): void {
      const item = store.find(id)
      if (!item?.file) return
      if (otherTabs.upload(fileKey(item))) return
      store.advance(id, 'check-again', { sentence: undefined })
      checking = checking.then(() => check(id, member))
    },
  }
}
