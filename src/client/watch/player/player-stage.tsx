import { IconPlayerPauseFilled, IconPlayerPlayFilled, IconReload } from '@tabler/icons-react'
import { type MouseEvent, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { look } from '#client/kit/layout/layout.ts'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { ControlBar } from './controls/control-bar.tsx'
import { useStoryboard } from './controls/use-storyboard.ts'
import { mayContinue } from './core/may-continue.ts'
import { listenToKeys } from './core/player-keys.ts'
import type { NextVideo, PlayerSurroundings } from './core/player-state.ts'
import { afterFirstPicture } from './element/has-picture.ts'
import type { MenuPlace } from './menu/context-menu.tsx'
import type { SettingsPage } from './menu/settings-menu.tsx'
import { Bezel } from './overlay/bezel.tsx'
import { Captions } from './overlay/captions.tsx'
import { SoundButton } from './overlay/sound-button.tsx'
import { Waiting } from './overlay/waiting.tsx'
import { usePlayer, usePlayerState } from './player-context.ts'
import classes from './player-stage.module.css'
import { useActivity } from './use-activity.ts'
import { usePlayerMemory } from './use-player-memory.ts'
import { useSurface } from './use-surface.ts'

const ContextMenu = lazyPart(() => import('./menu/context-menu.tsx'), null)
const HelpSheet = lazyPart(() => import('./overlay/help-sheet.tsx'))
const NextUp = lazyPart(async () => ({ default: (await import('./ahead.ts')).NextUp }))
const Stats = lazyPart(() => import('./overlay/stats.tsx'), null)

/** Elements that keep the focus of a press. */
const OWN_FOCUS = 'input, [role="slider"], [role="menu"], dialog, section'

type PlayerStageProps = PlayerSurroundings & { storyboardUrl: string | null; overlay?: ReactNode }

export function PlayerStage({ storyboardUrl, overlay, ...surroundings }: PlayerStageProps) {
  const player = usePlayer()
  const { element, options } = player.core
  const rootRef = useRef<HTMLDivElement>(null)
  const isPaused = usePlayerState((state) => state.isPaused)
  const isFullScreen = usePlayerState((state) => state.isFullScreen)
  const isHurrying = usePlayerState((state) => state.isHurrying)
  const captions = usePlayerState((state) => state.captions)
  const opened = usePlayerState((state) => state.overlay)
  const areStatsShown = usePlayerState((state) => state.areStatsShown)
  const { isActive, touch, rest } = useActivity()
  const { tiles, load: loadTiles } = useStoryboard(storyboardUrl)
  const [isCalm, setIsCalm] = useState(false)
  useEffect(() => {
    void afterFirstPicture(element).then(() => {
      NextUp.preload()
      setIsCalm(true)
    })
  }, [element])
  const [settingsPage, setSettingsPage] = useState<SettingsPage | null>(null)
  const [menuPlace, setMenuPlace] = useState<MenuPlace | null>(null)
  const upNext = useUpNext(surroundings.next)
  const isMenuOpen = settingsPage !== null || menuPlace !== null
  const areControlsShown = isActive || isPaused || isMenuOpen
  const surface = useSurface({
    player,
    areControlsShown,
    onShow: touch,
    onHide: rest,
    onLongPress: setMenuPlace,
    onApproach: loadTiles,
  })

  const attachRoot = useCallback(
    (root: HTMLDivElement) => {
      rootRef.current = root
      return listenToKeys(player, root)
    },
    [player],
  )
  const openMenu = (event: MouseEvent<HTMLElement>) => {
    // Touch has its own long press; Shift opens the browser's menu.
    if (event.shiftKey || (event.target as Element).closest('dialog')) return
    event.preventDefault()
    if (surface.wasTouched()) return
    const { left, top } = event.currentTarget.getBoundingClientRect()
    setMenuPlace({ x: event.clientX - left, y: event.clientY - top })
  }
  const closeMenu = () => {
    setMenuPlace(null)
    rootRef.current?.focus({ preventScroll: true })
  }
  /** A focused button would take the space bar. */
  const keepFocus = (event: MouseEvent<HTMLElement>) => {
    const own = (event.target as Element).closest(OWN_FOCUS)
    if (own && event.currentTarget.contains(own)) return
    event.preventDefault()
    event.currentTarget.focus({ preventScroll: true })
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be announced as a form.
    <div
      ref={attachRoot}
      className={classes.player}
      role="group"
      aria-label="Video player"
      tabIndex={-1}
      data-inline={options.isInline || undefined}
      data-idle={!areControlsShown || undefined}
      data-swiping={surface.swipedTo !== null || undefined}
      onPointerMove={(event) => event.pointerType !== 'touch' && touch()}
      onKeyDown={touch}
      onMouseDown={keepFocus}
      onContextMenu={openMenu}
    >
      <div
        ref={player.attach}
        className={classes.video}
        data-full-screen={isFullScreen || undefined}
        {...surface.handlers}
      />
      {createPortal(
        captions.map(({ src, language, label }) => (
          <track key={src} kind="captions" src={src} srcLang={language} label={label} />
        )),
        element,
      )}
      <Captions />
      {isFullScreen && <p className={`${look('oneLine')} ${classes.title}`}>{options.title}</p>}
      {isHurrying && <p className={classes.hurry}>2×</p>}
      <Waiting />
      {!upNext && <BigButton />}
      <SoundButton />
      <Bezel />
      {isCalm && overlay}
      {areStatsShown && <Stats />}
      {upNext && <NextUp next={upNext} onCancel={player.cancelNext} />}
      <div className={classes.controls}>
        <ControlBar
          {...surroundings}
          tiles={tiles}
          onApproach={loadTiles}
          swipedTo={surface.swipedTo}
          settingsPage={settingsPage}
          onSettings={setSettingsPage}
        />
      </div>
      {menuPlace && <ContextMenu place={menuPlace} onClose={closeMenu} />}
      {opened === 'help' && <HelpSheet onClose={() => player.setOverlay(null)} />}
    </div>
  )
}

/** Next video on the end card. A queue continues without a card unless it has to wait. */
function useUpNext(next: NextVideo | null): NextVideo | null {
  const { core } = usePlayer()
  const hasEnded = usePlayerState((state) => state.hasEnded && !state.isNextCancelled)
  const continues = usePlayerMemory('continues')
  const waits = useRef(false)
  waits.current = hasEnded && (waits.current || !mayContinue(core.frame))
  if (!hasEnded || !next) return null
  return (next.isQueued ? waits.current : continues) ? next : null
}

/** Keyboard users have the bar's button. */
function BigButton() {
  const player = usePlayer()
  const isPaused = usePlayerState((state) => state.isPaused)
  const hasEnded = usePlayerState((state) => state.hasEnded)
  const isHidden = usePlayerState((state) => state.isWaiting || state.isStarting)
  if (isHidden) return null
  const Icon = hasEnded ? IconReload : isPaused ? IconPlayerPlayFilled : IconPlayerPauseFilled
  return (
    <button
      type="button"
      className={classes.bigButton}
      data-paused={isPaused || undefined}
      aria-hidden="true"
      tabIndex={-1}
      onClick={player.togglePlay}
    >
      <Icon size={36} />
    </button>
  )
}
