import { useEffect, useRef } from 'react'
import type { Player } from '../../player/core/player.ts'
import classes from './clip-made.module.css'

const WIDTH = 320

/** Draws the frames of the player, which loops the clip, so nothing is fetched or decoded twice. */
export function LoopingPicture({ player }: { player: Player }) {
  const canvasRef = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const canvas = canvasRef.current
    const pen = canvas?.getContext('2d')
    if (!canvas || !pen) return
    let handle = 0
    let drawnAt = -1
    const draw = () => {
      handle = requestAnimationFrame(draw)
      const { video } = player.core
      if (!video?.videoWidth || video.currentTime === drawnAt) return
      drawnAt = video.currentTime
      const height = Math.round((WIDTH * video.videoHeight) / video.videoWidth)
      if (canvas.height !== height) canvas.height = height
      pen.drawImage(video, 0, 0, canvas.width, canvas.height)
    }
    draw()
    return () => cancelAnimationFrame(handle)
  }, [player])
  return <canvas ref={canvasRef} width={WIDTH} height={180} className={classes.picture} />
}
