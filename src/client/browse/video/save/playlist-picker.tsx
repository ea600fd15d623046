import '#client/kit/styles/mantine-pages.css'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type FormEvent, useId, useState } from 'react'
import { Dialog } from '#client/kit/dialog/dialog.tsx'
import { look, row } from '#client/kit/layout/layout.ts'
import { LoadError } from '#client/kit/list/load-error.tsx'
import { TextSkeleton } from '#client/kit/list/text-skeleton.tsx'
import { VisibilityField } from '#client/kit/visibility/visibility-field.tsx'
import { VisibilityIcon } from '#client/kit/visibility/visibility-icon.tsx'
import { serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import type { Playlist } from '#shared/schemas/library.schemas.ts'
import type { Video } from '#shared/schemas/video.schemas.ts'
import type { Visibility } from '#shared/schemas/visibility.schemas.ts'
import { VISIBILITY_WORDS } from '#shared/text/visibility-words.ts'
import classes from './playlist-picker.module.css'

const TITLE_MAX = 100
const SKELETONS = [0, 1, 2]

type PlaylistPickerProps = { video: Video; onClose: () => void }

export default function PlaylistPicker({ video, onClose }: PlaylistPickerProps) {
  const playlists = trpc.playlist.listOwn.useQuery({ videoId: video.id }, { staleTime: 0 })
  const toggle = useToggle(video.id)
  const hasWatchLater = playlists.data?.some(({ kind }) => kind === 'watch-later')
  return (
    <Dialog title="Add to playlist" size={400} onClose={onClose}>
      <p className={look('oneLine', 'note')}>{video.title}</p>
      {playlists.isPending && (
        <div className={classes.waiting} role="status" aria-label="Loading playlists">
          {SKELETONS.map((index) => (
            <TextSkeleton key={index} />
          ))}
        </div>
      )}
      {playlists.isError && !playlists.data && (
        <LoadError error={playlists.error} onRetry={() => void playlists.refetch()} />
      )}
      {playlists.data && (
        <ul className={classes.list}>
          {!hasWatchLater && (
            <li>
              <FirstForLater videoId={video.id} />
            </li>
          )}
          {watchLaterFirst(playlists.data).map((playlist) => (
            <li key={playlist.id}>
              <PlaylistChoice playlist={playlist} onChange={() => toggle(playlist)} />
            </li>
          ))}
        </ul>
      )}
      <NewPlaylist videoId={video.id} />
    </Dialog>
  )
}

const watchLaterFirst = (playlists: readonly Playlist[]) =>
  playlists.toSorted((a, b) => Number(b.kind !== 'list') - Number(a.kind !== 'list'))

/** Created with its first video. */
function FirstForLater({ videoId }: { videoId: number }) {
  const utils = trpc.useUtils()
  const add = trpc.playlist.addToWatchLater.useMutation({
    onError: (error) => notifyOfFailure(error),
    onSettled: () => utils.playlist.invalidate(),
  })
  return (
    <PlaylistChoice
      playlist={{
        title: 'Watch later',
        videoCount: 0,
        visibility: 'private',
        containsVideo: add.isPending,
      }}
      onChange={() => add.mutate({ videoId })}
    />
  )
}

function notifyOfFailure(error: unknown): void {
  notify({
    tone: 'error',
    title: 'The playlist could not be changed',
    message: serverSentence(error),
  })
}

type PlaylistChoiceProps = {
  playlist: Pick<Playlist, 'title' | 'videoCount' | 'visibility' | 'containsVideo'>
  onChange: () => void
}

function PlaylistChoice({ playlist, onChange }: PlaylistChoiceProps) {
  const { title, videoCount, visibility, containsVideo } = playlist
  return (
    <Checkbox
      classNames={{
        root: look('padX8', 'rounded', 'hoverable'),
        body: look('centre'),
        labelWrapper: look('fill'),
        label: classes.label,
      }}
      checked={containsVideo}
      onChange={onChange}
      label={
        <>
          <span className={look('oneLine')}>{title}</span>
          <span className={classes.count}>{videoCount}</span>
          <VisibilityIcon visibility={visibility} size={16} />
          <span className="visually-hidden">{VISIBILITY_WORDS[visibility].name}</span>
        </>
      }
    />
  )
}

type Change = { playlistId: string | number }

/** Optimistic, with rollback. */
function useToggle(videoId: number) {
  const utils = trpc.useUtils()
  const mark = (playlistId: number, containsVideo: boolean) =>
    utils.playlist.listOwn.setData({ videoId }, (old) =>
      old?.map((playlist) =>
        playlist.id === playlistId
          ? {
              ...playlist,
              containsVideo,
              videoCount: playlist.videoCount + (containsVideo ? 1 : -1),
            }
          : playlist,
      ),
    )
  const outcome = (added: boolean) => ({
    onMutate: async ({ playlistId }: Change) => {
      await utils.playlist.listOwn.cancel()
      mark(Number(playlistId), added)
    },
    onError: (error: unknown, { playlistId }: Change) => {
      mark(Number(playlistId), !added)
      notifyOfFailure(error)
    },
    onSettled: () => utils.playlist.invalidate(undefined, { refetchType: 'inactive' }),
  })
  const add = trpc.playlist.addVideo.useMutation(outcome(true))
  const remove = trpc.playlist.removeVideo.useMutation(outcome(false))
  return ({ id, containsVideo }: Playlist) =>
    (containsVideo ? remove : add).mutate({ playlistId: id, videoId })
}

function NewPlaylist({ videoId }: { videoId: number }) {
  const problemId = useId()
  const utils = trpc.useUtils()
  const [isOpen, setOpen] = useState(false)
  const [title, setTitle] = useState('')
  const [visibility, setVisibility] = useState<Visibility>('private')
  const settled = { onSettled: () => utils.playlist.invalidate() }
  const add = trpc.playlist.addVideo.useMutation(settled)
  const create = trpc.playlist.create.useMutation({
    ...settled,
    onSuccess: (playlist) => fill(playlist),
  })
  const fill = ({ id: playlistId, title: message }: Playlist) =>
    add.mutate(
      { playlistId, videoId },
      {
        onSuccess: () => {
          notify({ title: 'Playlist created', message })
          create.reset()
          setTitle('')
          setOpen(false)
        },
      },
    )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // Does not create it again after a failed insertion.
    if (create.data?.title === title.trim()) fill(create.data)
    else if (title.trim()) create.mutate({ title, visibility })
  }
  if (!isOpen) {
    return (
      <Button
        variant="default"
        className={look('fullWidth')}
        leftSection={<IconPlus size={18} aria-hidden />}
        onClick={() => setOpen(true)}
      >
        New playlist
      </Button>
    )
  }
  const problem = create.error ?? add.error
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextInput
        label="Title"
        value={title}
        maxLength={TITLE_MAX}
        autoComplete="off"
        aria-describedby={problemId}
        ref={focusOnce}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <VisibilityField value={visibility} onChange={setVisibility} />
      <p id={problemId} className={look('problem')} role="alert">
        {problem && (serverSentence(problem) || 'The playlist could not be created.')}
      </p>
      <div className={row(8, 'end', 'stretch')}>
        <Button variant="subtle" onClick={() => setOpen(false)}>
          Cancel
        </Button>
        <Button type="submit" disabled={!title.trim() || create.isPending || add.isPending}>
          {create.isPending ? 'Creating...' : 'Create'}
        </Button>
      </div>
    </form>
  )
}

const focusOnce = (input: HTMLInputElement | null) => input?.focus()
