import { useEffect } from 'react'
import { lazyPart } from '#client/kit/list/lazy-part.tsx'
import { usePlayer } from '../player-context.ts'

const SaveMix = lazyPart(() => import('./save-mix.tsx'))

/** Adds 'Save as everyone’s mix' to the mixer of the player around it. */
export function SaveMixOffer({ videoId }: { videoId: number }) {
  const { core } = usePlayer()
  useEffect(() => {
    core.renderSaveMix = (mix) => <SaveMix videoId={videoId} mix={mix} />
    return () => {
      core.renderSaveMix = undefined
    }
  }, [core, videoId])
  return null
}
