import { Button } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { errorSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'

type SendFileProps = { shareUrl: string | null; title: string }

/**
 * Sends the file through the share sheet. Renders nothing if that takes no videos, or before the
 * file exists.
 */
export function SendFile({ shareUrl, title }: SendFileProps) {
  const [isFetching, setFetching] = useState(false)
  const [fetched, setFetched] = useState<File>()
  if (shareUrl === null || !takesVideos()) return null
  const send = async () => {
    setFetching(true)
    try {
      const file = fetched ?? (await fetchFile(shareUrl, title))
      setFetched(file)
      await navigator.share({ files: [file], title })
    } catch (error) {
      // The viewer cancelled, or the press was too long ago. The next press has the file already.
      const isCalm =
        error instanceof DOMException && ['AbortError', 'NotAllowedError'].includes(error.name)
      if (!isCalm) {
        notify({ tone: 'error', title: 'Failed to send the file', message: errorSentence(error) })
      }
    } finally {
      setFetching(false)
    }
  }
  return (
    <Button
      variant="default"
      leftSection={<IconFileUpload size={20} stroke={1.75} aria-hidden />}
      disabled={isFetching}
      onClick={() => void send()}
    >
      {isFetching ? 'Fetching...' : 'Send the file'}
    </Button>
  )
}

async function fetchFile(url: string, title: string): Promise<File> {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`The file was answered with ${answer.status}.`)
  return new File([await answer.blob()], `${title}.mp4`, { type: 'video/mp4' })
}

function takesVideos(): boolean {
  if (typeof navigator.canShare !== 'function') return false
  return navigator.canShare({ files: [new File([], 'clip.mp4', { type: 'video/mp4' })] })
}
