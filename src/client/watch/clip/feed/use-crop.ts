import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import type { Clip } from '#shared/schemas/clip.schemas.ts'

/** As in feed-screen.module.css. */
const UPRIGHT = '(max-width: 767.98px) and (orientation: portrait)'

/** Wide pictures are cropped on an upright phone, until one asks for the whole. */
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

/** The shape of an old video may be unknown: nearly all are wide. */
function isWide({ width, height }: Clip['video']): boolean {
  return width === null || height === null || width > height
}
