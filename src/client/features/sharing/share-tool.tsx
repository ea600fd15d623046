import { IconShare3 } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { lazyPiece } from '../../lib/lazy-piece.tsx'

const SharePreview = lazyPiece(() => import('./share-preview.tsx'))

type ShareToolProps = { video: { id: number; title: string }; className: string | undefined }

/** A button of a studio row that shows how a link to its video looks elsewhere. */
export function ShareTool({ video, className }: ShareToolProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        variant="quiet"
        className={className}
        icon={<IconShare3 size={20} stroke={1.75} aria-hidden />}
        aria-label={`Share preview of ${video.title}`}
        title="Share preview"
        onClick={() => setOpen(true)}
      />
      {isOpen && <SharePreview videoId={video.id} onClose={() => setOpen(false)} />}
    </>
  )
}
