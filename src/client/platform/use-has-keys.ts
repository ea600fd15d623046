import { useMediaQuery } from '@mantine/hooks'

/** A device without a pointer other than touch, such as a phone. */
export const TOUCH_ALONE = '(hover: none) and (pointer: coarse)'

/** False on touch-only devices. */
export function useHasKeys(): boolean {
  return !useMediaQuery(TOUCH_ALONE, false, { getInitialValueInEffect: false })
}
