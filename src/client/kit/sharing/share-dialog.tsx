import '#client/kit/styles/mantine-pages.css'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { IconShare3 } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { CopyField } from '#client/kit/control/copy-field.tsx'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { beside, look } from '#client/kit/layout/layout.ts'
import { LINK_COPIED, shareLink } from '#client/platform/video/share-link.ts'
import { embedCode, embedSize } from '#shared/embed-code.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import { formatDuration } from '#shared/text/format.ts'
import { ClipFile } from './clip-file.tsx'
import { LinkQrCode } from './link-qr-code.tsx'
import { SendToSquads } from './send-to-squads.tsx'
import classes from './share-dialog.module.css'
import { ShareLinks } from './share-links.tsx'

const CLOCK = /^(?:(\d{1,3}):)?(?:(\d{1,4}):)?(\d{1,6})$/

type ShareDialogProps = {
  video: Pick<Video, 'id' | 'title' | 'width' | 'height' | 'duration' | 'visibility'>
  /** Whether the viewer is a member and can post the video or clip in a squad. */
  canSend?: boolean
  /** Shares the clip instead; `video` then has its title and length. */
  clip?: Pick<Clip, 'id' | 'shareUrl' | 'isFileComing'>
  /** Members can request a clip's file. */
  isSignedIn?: boolean
  /** Default of 'Start at'. */
  atSeconds: number
  /** Offers the share sheet of the device. */
  hasShareSheet?: boolean
  /** The viewer manages links as the owner or as an admin. */
  links: 'own' | 'others' | 'none'
  onClose: () => void
}

/**
 * Link, embed code and QR code, all from the same time. Share links come first for a video that is hidden from
 * visitors, which cannot be embedded.
 */
export default function ShareDialog(props: ShareDialogProps) {
  const { video, clip, isSignedIn = false, canSend, hasShareSheet, atSeconds, links } = props
  const { onClose } = props
  const problemId = useId()
  const [startsLater, setStartsLater] = useState(Math.floor(atSeconds) > 0)
  const [time, setTime] = useState(formatDuration(atSeconds))
  const [playsAtOnce, setPlaysAtOnce] = useState(false)
  const seconds = parseTime(time)
  const isWrong = seconds === undefined || seconds >= Math.max(1, video.duration)
  const start = startsLater && !isWrong ? seconds : 0
  const link = addressOf(clip ? `/clip/${clip.id}` : `/v/${video.id}`, { t: start || undefined })
  const isForVisitors = video.visibility === 'public' || video.visibility === 'unlisted'
  const src = addressOf(clip ? `/embed/clip/${clip.id}` : `/embed/${video.id}`, {
    t: start || undefined,
    autoplay: playsAtOnce ? 1 : undefined,
  })
  const shareLinks = links !== 'none' && <ShareLinks videoId={video.id} isOwn={links === 'own'} />
  return (
    <Dialog title="Share" size={480} isSpaced onClose={onClose}>
      {canSend && (
        <SendToSquads
          sent={clip ? { kind: 'clip', id: clip.id } : { kind: 'video', id: video.id }}
          isOfPrivateVideo={video.visibility === 'private'}
          hasMessage
        />
      )}
      {hasShareSheet && typeof navigator.share === 'function' && (
        <Button
          variant="default"
          leftSection={<IconShare3 size={20} stroke={1.75} aria-hidden />}
          onClick={() => void shareLink({ path: new URL(link).pathname, title: video.title })}
        >
          Share with another app
        </Button>
      )}
      {!isForVisitors && shareLinks}
      <CopyField label="Link" text={link} message={LINK_COPIED} />
      {!isForVisitors && (
        <p className={look('note')}>
          It opens for people who can see the video, once they have signed in.
        </p>
      )}
      <div className={beside([8, 12], 'centre')}>
        <Checkbox
          label="Start at"
          checked={startsLater}
          onChange={(event) => setStartsLater(event.currentTarget.checked)}
        />
        <TextInput
          className={classes.time}
          aria-label="Start time"
          aria-describedby={problemId}
          error={startsLater && isWrong}
          value={time}
          disabled={!startsLater}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
        <p id={problemId} className={look('across', 'problem')} role="alert">
          {startsLater && isWrong && `A time before ${formatDuration(video.duration)}, like 1:23.`}
        </p>
        {isForVisitors && (
          <Checkbox
            className={look('across')}
            label="Embedded, play at once without sound"
            checked={playsAtOnce}
            onChange={(event) => setPlaysAtOnce(event.currentTarget.checked)}
          />
        )}
      </div>
      {isForVisitors && (
        <CopyField
          label="Embed code"
          text={embedCode({ src, title: video.title, ...embedSize(video) })}
          message="Embed code copied to clipboard."
          rows={4}
        />
      )}
      {clip && <ClipFile clip={clip} title={video.title} isSignedIn={isSignedIn} />}
      <LinkQrCode text={link} name={clip ? `clutch-clip-${clip.id}` : `clutch-${video.id}`} />
      {isForVisitors && shareLinks}
    </Dialog>
  )
}

function addressOf(path: string, query: Record<string, number | undefined>): string {
  const url = new URL(path, location.origin)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url.href
}

/** Seconds of '83', '1:23' or '1:02:03'; otherwise undefined. */
function parseTime(text: string): number | undefined {
  const match = CLOCK.exec(text.trim())
  if (!match) return undefined
  const parts = match.slice(1).filter((part) => part !== undefined)
  return parts.reduce((sum, part) => sum * 60 + Number(part), 0)
}
