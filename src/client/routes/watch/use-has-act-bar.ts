import { useMediaQuery } from '@mantine/hooks'

/** Must match watch-page.module.css, where the actions become a bar at the lower edge. */
const ACT_BAR = '(max-width: 480px)'

export function useHasActBar(): boolean {
  return useMediaQuery(ACT_BAR, false, { getInitialValueInEffect: false })
}
