import { useMediaQuery } from '@mantine/hooks'

const TOUCH_ALONE = '(hover: none) and (pointer: coarse)'

/** False on a device without a pointer other than touch, where texts about keys are of no use. */
export function useHasKeys(): boolean {
  return !useMediaQuery(TOUCH_ALONE, false, { getInitialValueInEffect: false })
}
