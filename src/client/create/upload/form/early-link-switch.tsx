import '#client/kit/styles/mantine-pages.css'
import { Switch } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { chooseEarlyLink, earlyLink, subscribeToEarlyLink } from '../early-link.ts'

/** Remembered in this browser. */
export function EarlyLinkSwitch() {
  const { isOn } = useSyncExternalStore(subscribeToEarlyLink, earlyLink)
  return (
    <Switch
      label="Can be watched while it uploads"
      description="You get the link at once, and who may watch the video sees what has arrived. Off: only when it is finished."
      checked={isOn}
      onChange={({ currentTarget }) => chooseEarlyLink(currentTarget.checked)}
    />
  )
}
