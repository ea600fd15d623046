import { useMediaQuery } from '@mantine/hooks'

/** As in watch-page.module.css: what one does with a video is a bar at the lower edge. */
const ACT_BAR = '(max-width: 480px)'

export function useHasActBar(): boolean {
  return useMediaQuery(ACT_BAR, false, { getInitialValueInEffect: false })
}
