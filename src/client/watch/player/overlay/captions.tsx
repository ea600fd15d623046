import { useEffect, useRef } from 'react'
import { column } from '#client/kit/layout/layout.ts'
import { usePlayer, usePlayerState } from '../player-context.ts'
import classes from './captions.module.css'

/** Drawn here so that they stay above the bar. */
export function Captions() {
  const player = usePlayer()
  const shown = usePlayerState((state) => state.captions[state.caption]?.src)
  const boxRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { video } = player.core
    const box = boxRef.current
    // A source may bring its own tracks.
    const elements = [...(video?.querySelectorAll('track') ?? [])]
    const track = elements.find((one) => one.getAttribute('src') === shown)?.track
    for (const { track: other } of elements) if (other !== track) other.mode = 'disabled'
    if (!track || !box || !video) return
    const over = new AbortController()
    const { signal } = over
    const draw = () => box.replaceChildren(...[...(track.activeCues ?? [])].map(toLine))
    track.mode = 'hidden'
    draw()
    track.addEventListener('cuechange', draw, { signal })
    // A phone's native full screen shows only native captions.
    const setMode = (mode: TextTrackMode) => () => {
      track.mode = mode
    }
    video.addEventListener('webkitbeginfullscreen', setMode('showing'), { signal })
    video.addEventListener('webkitendfullscreen', setMode('hidden'), { signal })
    return () => {
      over.abort()
      box.replaceChildren()
    }
  }, [player, shown])
  return <div ref={boxRef} className={`${column(2, 'centre')} ${classes.captions}`} />
}

function toLine(cue: TextTrackCue): HTMLElement {
  const line = document.createElement('p')
  line.append((cue as VTTCue).getCueAsHTML())
  return line
}
