import { useEffect, useRef } from 'react'
import { usePlayer, usePlayerState } from '../player-context.ts'
import classes from './captions.module.css'

/** The words that are spoken now. Drawn here and not by the browser, so that they keep above the bar. */
export function Captions() {
  const player = usePlayer()
  const caption = usePlayerState((state) => state.caption)
  const boxRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const box = boxRef.current
    const tracks = [...(player.core.video?.textTracks ?? [])]
    for (const [index, track] of tracks.entries()) {
      track.mode = index === caption ? 'hidden' : 'disabled'
    }
    const track = tracks[caption]
    if (!track || !box) return
    const draw = () => box.replaceChildren(...[...(track.activeCues ?? [])].map(toLine))
    draw()
    track.addEventListener('cuechange', draw)
    return () => {
      track.removeEventListener('cuechange', draw)
      box.replaceChildren()
    }
  }, [player, caption])
  return <div ref={boxRef} className={classes.captions} />
}

function toLine(cue: TextTrackCue): HTMLElement {
  const line = document.createElement('p')
  line.append((cue as VTTCue).getCueAsHTML())
  return line
}
