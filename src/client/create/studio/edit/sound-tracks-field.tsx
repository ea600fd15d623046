import { look } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { Select } from '@mantine/core'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { nameSoundTracks, SOUND_KIND_WORDS, SOUND_KINDS } from '#shared/sound-tracks.ts'
import classes from './sound-tracks-field.module.css'

const AS_RECORDED = 'recorded'

/** Saved at once. */
export function SoundTracksField({ videoId }: { videoId: number }) {
  const { data: playback } = trpc.video.playback.useQuery({ id: videoId })
  const utils = trpc.useUtils()
  const set = trpc.video.setSoundKind.useMutation({
    onSuccess: () => utils.video.playback.invalidate({ id: videoId }),
    onError: (error) => {
      void utils.video.playback.invalidate({ id: videoId })
      notify({ tone: 'error', title: 'Sound track not changed', message: serverSentence(error) })
    },
  })
  if (!playback || playback.soundTracks.length === 0) return null
  const tracks = [
    { number: 1, language: playback.soundLanguage },
    ...playback.soundTracks.map(({ number, language }) => ({ number, language })),
  ].map((track) => ({
    ...track,
    ...playback.soundNames.find((one) => one.number === track.number),
  }))
  const recorded = nameSoundTracks(tracks.map(({ language, name }) => ({ language, name })))
  return (
    <section aria-labelledby="sound-tracks" className={look('nextSection')}>
      <h3 id="sound-tracks" className={look('below8', 'label')}>
        Sound tracks
      </h3>
      <p className={look('below8', 'note')}>
        What is on each track. How loud it is for everyone is set in the player: ‘Settings’, ‘Sound
        mix’.
      </p>
      <div className={classes.tracks}>
        {tracks.map(({ number, kind }, index) => (
          <Select
            key={number}
            label={`Track ${number}`}
            data={[
              { value: AS_RECORDED, label: `As recorded: ${recorded[index]}` },
              ...SOUND_KINDS.map((value) => ({ value, label: SOUND_KIND_WORDS[value] })),
            ]}
            value={kind ?? AS_RECORDED}
            onChange={(value) =>
              set.mutate({
                id: videoId,
                number,
                kind: SOUND_KINDS.find((each) => each === value) ?? null,
                was: kind ?? null,
              })
            }
          />
        ))}
      </div>
    </section>
  )
}
