import { useState } from 'react'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { isSameMix, type SoundMix } from '#shared/sound-mix.ts'
import classes from './mixer-panel.module.css'

const LOOK_EVERY_MS = 1000

/** For who may edit the video. The server makes the sound again, which takes a while. */
export default function SaveMix({ videoId, mix }: { videoId: number; mix: SoundMix }) {
  const [saved, setSaved] = useState<SoundMix>()
  const utils = trpc.useUtils()
  const { data: status } = trpc.video.processingStatus.useQuery(
    { id: videoId },
    {
      refetchInterval: ({ state }) => (isWorking(state.data?.mix?.state) ? LOOK_EVERY_MS : false),
      refetchOnMount: 'always',
    },
  )
  const { data: playback } = trpc.video.playback.useQuery({ id: videoId })
  const save = trpc.video.setSoundMix.useMutation({
    onSuccess: () => {
      setSaved(mix)
      return utils.video.processingStatus.invalidate({ id: videoId })
    },
    onError: (error) =>
      notify({ tone: 'error', title: 'Mix not saved', message: serverSentence(error) }),
  })
  const work = status?.mix
  const isMaking = save.isPending || isWorking(work?.state)
  const everyones = saved ?? playback?.soundMix
  const isNew = !everyones || !isSameMix(mix, everyones)
  const words = isMaking
    ? `Saving everyone’s mix: ${Math.round(work?.percent ?? 0)}%`
    : work?.state === 'failed'
      ? `The last mix was not saved. ${work.error ?? ''}`
      : saved && 'Saved. Everybody hears it when they open the video again.'
  return (
    <>
      <button
        type="button"
        className={classes.act}
        disabled={isMaking || !isNew}
        onClick={() => save.mutate({ id: videoId, mix })}
      >
        Save as everyone’s mix
      </button>
      {words && (
        <p className={classes.note} role="status">
          {words}
        </p>
      )}
    </>
  )
}

const isWorking = (state: string | undefined) => state === 'waiting' || state === 'running'
