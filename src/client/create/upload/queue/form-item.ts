import type { UploadOutcome } from '../transfer/upload-engine.ts'
import { type createIntake, type FormMember, newItem } from './queue-intake.ts'
import type { QueueItem } from './queue-item.ts'
import type { createQueueRunner } from './queue-runner.ts'
import { nextQueueState } from './queue-state.ts'
import type { QueueStore } from './queue-store.ts'

type Options = {
  store: QueueStore
  runner: Pick<ReturnType<typeof createQueueRunner>, 'run'>
  intake: Pick<ReturnType<typeof createIntake>, 'findSame'>
  changeThumbnail: (id: number, thumbnail: File | undefined) => void
}

type FormInput = Pick<QueueItem, 'details' | 'thumbnail'>

/** The item of the upload form: sent at once, and shown by the tray only after the form is left. */
export function createFormItem({ store, runner, intake, changeThumbnail }: Options) {
  const held = () => store.snapshot().held

  async function compare(): Promise<void> {
    const item = held()
    const isWanted = () => {
      const now = held()
      return now?.file === item?.file && (now?.state === 'prepared' || now?.state === 'failed')
    }
    if (!item || !isWanted()) return
    const same = await intake.findSame(item, isWanted)
    if (isWanted()) store.change(item.id, { same })
  }

  return {
    /** @returns false if a file is under way or uploaded */
    prepare(file: File, member: FormMember): boolean {
      const earlier = held()
      if (earlier && !nextQueueState(earlier.state, 'prepare')) return false
      earlier?.engine?.reset()
      const kept = earlier && { id: earlier.id, engine: earlier.engine }
      store.set({ held: { ...newItem(file, member), state: 'prepared', ...kept } })
      void compare()
      return true
    },

    /** Never rejects; 'stopped' also if the form was left meanwhile. */
    async submit({ details, thumbnail }: FormInput): Promise<UploadOutcome> {
      const id = held()?.id
      if (id === undefined || !store.advance(id, 'submit', { details, same: undefined })) {
        return { kind: 'stopped' }
      }
      changeThumbnail(id, thumbnail)
      const outcome = await runner.run(id)
      if (!store.isHeld(id)) return { kind: 'stopped' }
      void compare()
      return outcome
    },

    /** Not during the last call. */
    cancel(): void {
      const item = held()
      if (!item?.engine?.progress().canCancel) return
      item.engine.cancel()
      store.advance(item.id, 'cancel', { uploadId: undefined })
    },

    /** The form is left. @returns whether the tray continues the upload */
    release(): boolean {
      const { held: item, items } = store.snapshot()
      const isRunning = item?.state === 'running'
      // The server's list may already contain it.
      const isListed = ({ state, uploadId }: QueueItem) =>
        state === 'unfinished' && uploadId !== undefined && uploadId === item?.uploadId
      const others = items.filter((other) => !isListed(other))
      store.set({ held: undefined, ...(isRunning && { items: [...others, item] }) })
      return isRunning
    },
  }
}
