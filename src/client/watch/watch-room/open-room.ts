import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpcClient } from '#client/trpc.ts'

type Subject = {
  videoId?: number
  clipId?: number
  playlistId?: number
  squadViewId?: number
  position?: number
}

/** Opens a room and goes there. @param go to the address of the room */
export async function openRoom(subject: Subject, go: (token: string) => void): Promise<void> {
  try {
    const { token } = await trpcClient.watchRoom.create.mutate(subject)
    go(token)
  } catch (error) {
    notify({ tone: 'error', title: 'The room could not be opened', message: errorSentence(error) })
  }
}
