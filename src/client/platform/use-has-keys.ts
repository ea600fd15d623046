import { useMediaQuery } from '@mantine/hooks'

export const TOUCH_ALONE = '(hover: none) and (pointer: coarse)'

/** False on touch-only devices. */
export function useHasKeys(): boolean {
  return !useMediaQuery(TOUCH_ALONE, false, { getInitialValueInEffect: false })
}
