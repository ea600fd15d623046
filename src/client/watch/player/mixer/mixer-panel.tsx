import { IconChevronLeft, IconHeadphones, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { isSameMix, MIX_GAIN_MAX, MIX_TRACKS_MAX, type TrackMix } from '#shared/sound-mix.ts'
import menu from '../menu/menu.module.css'
import { usePlayer } from '../player-context.ts'
import { mixableTracks } from './can-mix.ts'
import type { Mixer, MixerState } from './mixer.ts'
import classes from './mixer-panel.module.css'
import { openMixer } from './open-mixer.ts'

const GAIN_STEP = 0.5

const STATUS_WORDS: Partial<Record<MixerState['status'], string>> = {
  asleep: 'Your mix starts with the next press.',
  speed: 'At other speeds you hear everyone’s mix.',
  unsupported: 'This browser cannot mix sound tracks here. You hear everyone’s mix.',
  failed: 'The tracks could not be loaded. You hear everyone’s mix.',
}

type MixerPanelProps = { onBack: (() => void) | undefined; onClose: () => void }

export default function MixerPanel(props: MixerPanelProps) {
  const { core } = usePlayer()
  const [mixer, setMixer] = useState<Mixer>()
  const [hasFailed, setFailed] = useState(false)
  useEffect(() => {
    openMixer(core).then(setMixer, () => setFailed(true))
  }, [core])
  const leave = props.onBack ?? props.onClose
  const pressKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    leave()
  }
  return (
    <section
      className={`${menu.menu} ${classes.panel}`}
      data-back=""
      aria-label="Sound mix"
      onKeyDown={pressKey}
    >
      <button ref={focus} type="button" className={menu.back} onClick={leave}>
        <IconChevronLeft size={20} aria-hidden />
        Sound mix
      </button>
      {hasFailed && <p className={classes.note}>The mixer could not be loaded.</p>}
      {mixer && <Controls mixer={mixer} />}
    </section>
  )
}

const focus = (button: HTMLElement | null) => button?.focus({ preventScroll: true })

function Controls({ mixer }: { mixer: Mixer }) {
  const { core } = usePlayer()
  const { mix, solo, status } = useSyncExternalStore(mixer.store.subscribe, mixer.store.get)
  const names = new Map(core.surroundings.soundTracks.map(({ number, label }) => [number, label]))
  const hasMore =
    core.surroundings.soundTracks.filter(({ number }) => number > 0).length > mix.tracks.length
  const isChanged = solo.length > 0 || !isSameMix(mix, mixer.everyone())
  const words = STATUS_WORDS[status]
  return (
    <>
      <ul className={classes.tracks}>
        {mix.tracks.map((track) => (
          <Track
            key={track.number}
            name={names.get(track.number) ?? `Track ${track.number}`}
            track={track}
            isSolo={solo.includes(track.number)}
            isOff={solo.length > 0 && !solo.includes(track.number)}
            mixer={mixer}
          />
        ))}
      </ul>
      {hasMore && <p className={classes.note}>The first {MIX_TRACKS_MAX} tracks can be mixed.</p>}
      <Ducking mixer={mixer} names={names} />
      {words && (
        <p className={classes.note} role="status">
          {words}
        </p>
      )}
      <div className={classes.acts}>
        <button
          type="button"
          className={classes.act}
          disabled={!isChanged}
          onClick={() => mixer.reset()}
        >
          Reset to everyone’s mix
        </button>
        {core.renderSaveMix?.(mix)}
      </div>
    </>
  )
}

type TrackProps = { name: string; track: TrackMix; isSolo: boolean; isOff: boolean; mixer: Mixer }

function Track({ name, track, isSolo, isOff, mixer }: TrackProps) {
  const { number, gainDb, isMuted } = track
  const share = (gainDb + MIX_GAIN_MAX) / (2 * MIX_GAIN_MAX)
  const isSilent = isSolo ? false : isMuted || isOff
  return (
    <li className={classes.track} data-silent={isSilent || undefined}>
      <span className={`${look('oneLine')} ${classes.name}`}>{name}</span>
      <input
        type="range"
        className={classes.slider}
        aria-label={`Volume of ${name}`}
        aria-valuetext={`${decibels(gainDb)}${isSilent ? ', not heard' : ''}`}
        min={-MIX_GAIN_MAX}
        max={MIX_GAIN_MAX}
        step={GAIN_STEP}
        value={gainDb}
        style={{ '--level': `${share * 100}%` } as CSSProperties}
        onChange={(event) =>
          mixer.changeTrack(number, { gainDb: event.currentTarget.valueAsNumber, isMuted: false })
        }
        onDoubleClick={() => mixer.changeTrack(number, { gainDb: 0 })}
        onKeyDown={keepKey}
      />
      <output className={classes.gain}>{isMuted && !isSolo ? 'Muted' : decibels(gainDb)}</output>
      <button
        type="button"
        className={classes.toggle}
        aria-label={`Mute ${name}`}
        aria-pressed={isMuted}
        onClick={() => mixer.changeTrack(number, { isMuted: !isMuted })}
      >
        {isMuted ? <IconVolumeOff size={18} aria-hidden /> : <IconVolume size={18} aria-hidden />}
      </button>
      <button
        type="button"
        className={classes.toggle}
        aria-label={`Hear only ${name}`}
        aria-pressed={isSolo}
        onClick={() => mixer.toggleSolo(number)}
      >
        <IconHeadphones size={18} aria-hidden />
      </button>
    </li>
  )
}

function Ducking({ mixer, names }: { mixer: Mixer; names: ReadonlyMap<number, string> }) {
  const { core } = usePlayer()
  const { mix } = useSyncExternalStore(mixer.store.subscribe, mixer.store.get)
  if (mixableTracks(core).length < 2) return null
  return (
    <div className={classes.ducking}>
      <button
        type="button"
        role="switch"
        aria-checked={mix.ducks}
        className={menu.item}
        onClick={() => mixer.setDucking(!mix.ducks)}
      >
        <span className={look('grow', 'oneLine')}>Voice over game</span>
        <span className={menu.switch} aria-hidden="true" />
      </button>
      {mix.ducks && (
        <fieldset className={classes.voices}>
          <legend className={classes.note}>While these are heard, the others are quieter:</legend>
          {mix.tracks.map(({ number, isVoice }) => (
            <button
              key={number}
              type="button"
              className={classes.voice}
              aria-pressed={isVoice}
              onClick={() => mixer.changeTrack(number, { isVoice: !isVoice })}
            >
              {names.get(number) ?? `Track ${number}`}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  )
}

/** The player's own keys would seek and change its volume. */
function keepKey(event: KeyboardEvent) {
  if (/^(Arrow|Home|End|Page)/.test(event.key)) event.stopPropagation()
}

function decibels(gainDb: number): string {
  return `${gainDb > 0 ? '+' : gainDb < 0 ? '−' : ''}${Math.abs(gainDb)} dB`
}
