import '#client/kit/styles/mantine-pages.css'
import { Switch } from '@mantine/core'
import { rememberPlayer } from '../core/player-memory.ts'
import { usePlayerMemory } from '../use-player-memory.ts'

/** Setting of this device. */
export default function MiniPlayerForm() {
  const hasMiniPlayer = usePlayerMemory('hasMiniPlayer')
  return (
    <Switch
      label="Keep playing in a mini player"
      checked={hasMiniPlayer}
      onChange={(event) => rememberPlayer({ hasMiniPlayer: event.currentTarget.checked })}
    />
  )
}
