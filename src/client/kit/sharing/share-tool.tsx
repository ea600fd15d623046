import { IconShare3 } from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton } from '#client/kit/control/icon-button.tsx'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'

const SharePreview = lazyPart(() => import('./share-preview.tsx'))

type ShareToolProps = { video: { id: number; title: string }; className: string | undefined }

/** In a row of the studio. */
export function ShareTool({ video, className }: ShareToolProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <IconButton
        className={className}
        aria-label={`Share preview of ${video.title}`}
        hint="Share preview"
        onClick={() => setOpen(true)}
      >
        <IconShare3 size={20} stroke={1.75} aria-hidden />
      </IconButton>
      {isOpen && <SharePreview videoId={video.id} onClose={() => setOpen(false)} />}
    </>
  )
}
