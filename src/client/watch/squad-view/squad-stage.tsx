import { IconLayoutGrid, IconLayoutSidebarRight } from '@tabler/icons-react'
import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import { FullScreenButton, PlayButton, TimeDisplay } from '../player/controls/control-bar.tsx'
import { ControlButton } from '../player/controls/control-button.tsx'
import { SeekBar } from '../player/controls/seek-bar.tsx'
import { VolumeControl } from '../player/controls/volume-control.tsx'
import { isTyping, listenToKeys } from '../player/core/player-keys.ts'
import { SoundButton } from '../player/overlay/sound-button.tsx'
import { PlayerContext } from '../player/player-context.ts'
import { nameOf } from './names.ts'
import type { Recording, Squad } from './squad.ts'
import { SquadContext, useSquad, useSquadState } from './squad-context.ts'
import { SquadPicture } from './squad-picture.tsx'
import classes from './squad-stage.module.css'

const NONE: never[] = []
const ignore = () => undefined

type SquadStageProps = {
  squad: Squad
  recordings: readonly Recording[]
  /** Shown over the pictures. */
  overlay?: ReactNode
  /** Further controls. */
  children?: ReactNode
}

/** Up to four pictures of one match, which run together, with one set of controls. */
export function SquadStage({ squad, recordings, overlay, children }: SquadStageProps) {
  const root = useRef<HTMLElement>(null)
  useEffect(() => squad.run(), [squad])
  const attach = useCallback(
    (element: HTMLElement) => {
      root.current = element
      squad.player.core.frame = element
      const keys = [listenToNumbers(squad), listenToKeys(squad.player, element)]
      return () => {
        for (const stop of keys) stop()
      }
    },
    [squad],
  )
  return (
    <SquadContext value={squad}>
      <PlayerContext value={squad.player}>
        <section ref={attach} className={classes.stage} aria-label="Squad view" tabIndex={-1}>
          <Pictures recordings={recordings} overlay={overlay} />
          <Controls>{children}</Controls>
          <Others recordings={recordings} />
        </section>
      </PlayerContext>
    </SquadContext>
  )
}

function Pictures({ recordings, overlay }: Pick<SquadStageProps, 'recordings' | 'overlay'>) {
  const shownIds = useSquadState((state) => state.shownIds)
  const layout = useSquadState((state) => state.layout)
  return (
    <div className={classes.pictures} data-layout={layout} data-count={shownIds.length}>
      {shownIds.map((id, index) => {
        const recording = recordings.find(({ video }) => video.id === id)
        return recording && <SquadPicture key={id} recording={recording} number={index + 1} />
      })}
      <SoundButton />
      {overlay}
    </div>
  )
}

function Controls({ children }: { children: ReactNode }) {
  return (
    <div className={classes.controls}>
      <SeekBar
        chapters={NONE}
        marks={NONE}
        heat={NONE}
        moments={NONE}
        tiles={NONE}
        onApproach={ignore}
        swipedTo={null}
      />
      <div className={row(0, 'wrap')}>
        <PlayButton />
        <VolumeControl />
        <TimeDisplay />
        <span className={look('grow')} />
        {children}
        <LayoutButton />
        <FullScreenButton />
      </div>
    </div>
  )
}

function LayoutButton() {
  const { store } = useSquad()
  const isGrid = useSquadState(({ layout }) => layout === 'grid')
  return (
    <ControlButton
      label={isGrid ? 'One large' : 'All of the same size'}
      className={classes.layoutButton}
      onClick={() => store.set({ layout: isGrid ? 'large' : 'grid' })}
    >
      {isGrid ? <IconLayoutSidebarRight /> : <IconLayoutGrid />}
    </ControlButton>
  )
}

/** Those for whom there is no picture. */
function Others({ recordings }: Pick<SquadStageProps, 'recordings'>) {
  const squad = useSquad()
  const shownIds = useSquadState((state) => state.shownIds)
  const others = recordings.filter(({ video }) => !shownIds.includes(video.id))
  if (others.length === 0) return null
  return (
    <ul className={`${row([4, 8], 'wrap')} ${classes.others}`} aria-label="Other recordings">
      {others.map((recording) => (
        <li key={recording.video.id}>
          <button
            type="button"
            className={classes.other}
            onClick={() => squad.enlarge(recording.video.id)}
          >
            {nameOf(recording)}
          </button>
        </li>
      ))}
    </ul>
  )
}

/** 1 to 4 choose the large picture. @returns a stop function */
function listenToNumbers(squad: Squad): () => void {
  const over = new AbortController()
  const press = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, altKey, metaKey } = event
    const id = squad.store.get().shownIds[Number(key) - 1]
    if (id === undefined || ctrlKey || altKey || metaKey) return
    if (target instanceof Element && (isTyping(target) || target.closest('dialog'))) return
    event.preventDefault()
    squad.enlarge(id)
  }
  document.addEventListener('keydown', press, { signal: over.signal, capture: true })
  return () => over.abort()
}
