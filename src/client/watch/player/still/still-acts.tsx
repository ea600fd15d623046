import { Button } from '@mantine/core'
import { IconCopy, IconDownload, IconShare2, type TablerIcon } from '@tabler/icons-react'
import { downloadBlob } from '#client/platform/download-blob.ts'
import { notify } from '#client/platform/notify.tsx'
import { formatDuration } from '#shared/text/format.ts'
import type { Player } from '../core/player.ts'
import { addressAt } from '../core/time-address.ts'
import { takeStill } from './take-still.ts'

const TITLE = 'Picture'
const FAILED = 'The picture could not be read from the video.'

/** False without https, and in browsers that copy no pictures. */
const canCopyStill = () => isSecureContext && 'ClipboardItem' in window

type StillAct = { label: string; Icon: TablerIcon; act: (player: Player) => Promise<void> }

/** Lists what this browser can do with the shown picture. */
export function listStillActs(): StillAct[] {
  const save = { label: 'Save this picture', Icon: IconDownload, act: saveStill }
  return [
    ...(canCopyStill() ? [{ label: 'Copy this picture', Icon: IconCopy, act: copyStill }] : []),
    save,
    ...(canShareStill() ? [{ label: 'Share as picture', Icon: IconShare2, act: shareStill }] : []),
  ]
}

/** Whether the share sheet of the device takes pictures. */
function canShareStill(): boolean {
  if (typeof navigator.canShare !== 'function') return false
  return navigator.canShare({ files: [new File([], 'picture.png', { type: 'image/png' })] })
}

/** Copies the picture and, for programs that paste text, the link at its time. It must be called while a press is handled. */
async function copyStill(player: Player): Promise<void> {
  const link = linkAt(player)
  const picture = takeStill(player.core)
  try {
    const text = link && { 'text/plain': new Blob([link], { type: 'text/plain' }) }
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture, ...text })])
    const message = link ? 'The picture and its link were copied.' : 'The picture was copied.'
    notify({ title: TITLE, message })
  } catch {
    const isRead = await picture.then(
      () => true,
      () => false,
    )
    notify({
      tone: 'error',
      title: TITLE,
      message: isRead ? 'Your browser does not let pages copy pictures. Save it instead.' : FAILED,
    })
  }
}

async function saveStill(player: Player): Promise<void> {
  const { name } = describeStill(player)
  try {
    downloadBlob(name, await takeStill(player.core))
  } catch {
    notify({ tone: 'error', title: TITLE, message: FAILED })
  }
}

/** Opens the share sheet of the device with the picture and the link at its time. */
async function shareStill(player: Player): Promise<void> {
  const { name, title } = describeStill(player)
  const link = linkAt(player)
  const picture = await takeStill(player.core).catch(() => undefined)
  if (!picture) {
    notify({ tone: 'error', title: TITLE, message: FAILED })
    return
  }
  const files = [new File([picture], name, { type: 'image/png' })]
  const share = () => navigator.share({ files, title, ...(link && { text: link }) })
  try {
    await share()
  } catch (error) {
    const { name: kind } = error as Error
    if (kind === 'AbortError') return
    if (kind !== 'NotAllowedError') {
      notify({ tone: 'error', title: TITLE, message: 'The picture could not be shared.' })
      return
    }
    // The press was too long ago for the browser.
    const again = (
      <Button size="xs" onClick={() => void share().catch(() => undefined)}>
        Share
      </Button>
    )
    notify({ title: TITLE, message: 'The picture is ready.', action: again })
  }
}

/** Undefined for a video without a page of its own. */
function linkAt({ options, get }: Player): string | undefined {
  const { videoId, pagePath: path = `/video/${videoId}` } = options
  return path === null ? undefined : new URL(addressAt(path, get().time), location.origin).href
}

function describeStill({ options, get }: Player): { title: string; name: string } {
  const { title } = options
  return { title, name: `${title} ${formatDuration(get().time).replaceAll(':', '.')}.png` }
}
