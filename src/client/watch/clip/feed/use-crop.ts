import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import type { Clip } from '#shared/schemas/clip.schemas.ts'

/** Must match the media query in feed-screen.module.css. */
const UPRIGHT = '(max-width: 767.98px) and (orientation: portrait)'

/** Crops wide pictures on an upright phone until the viewer asks for the whole picture. */
export function useCrop(current: Clip | undefined) {
  const isUpright = useMediaQuery(UPRIGHT, false, { getInitialValueInEffect: false })
  const [wholeId, setWholeId] = useState<number>()
  const isCropped = (clip: Clip) => isUpright && clip.id !== wholeId && isWide(clip.video)
  return {
    isCropped,
    isCurrentCropped: current !== undefined && isCropped(current),
    showWhole: () => setWholeId(current?.id),
  }
}

/** Treats an unknown shape as wide, because nearly all old videos are. */
function isWide({ width, height }: Clip['video']): boolean {
  return width === null || height === null || width > height
}
