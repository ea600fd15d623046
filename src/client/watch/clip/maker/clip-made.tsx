import { column, look, row, wrapped } from '#client/kit/layout/layout.ts'
import '#client/kit/styles/mantine-pages.css'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconCheck, IconLink, IconPlayerTrackNext, IconShare3, IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ClipFile } from '#client/kit/sharing/clip-file.tsx'
import { SendFile } from '#client/kit/sharing/send-file.tsx'
import { SendToSquads } from '#client/kit/sharing/send-to-squads.tsx'
import { errorSentence, serverSentence } from '#client/platform/error-message.ts'
import { copyLink, LINK_COPIED, shareLink } from '#client/platform/video/share-link.ts'
import { trpc } from '#client/trpc.ts'
import { titleRule } from '#shared/field-rules.ts'
import { TITLE_MAX } from '#shared/limits.ts'
import type { Clip } from '#shared/schemas/clip.schemas.ts'
import type { Player } from '../../player/core/player.ts'
import classes from './clip-made.module.css'
import { LoopingPicture } from './looping-picture.tsx'

/** The clip is read at this interval until its file exists. */
const FILE_POLL_MS = 2000

type ClipMadeProps = {
  clip: Clip
  player: Player
  /** Is true if the link is on the clipboard, and undefined until that is known. */
  isCopied: boolean | undefined
  suggestions: readonly string[]
  onNext: () => void
  onClose: () => void
}

/** Replaces the form after a clip is created. The player continues to loop the clip. */
export function ClipMade(props: ClipMadeProps) {
  const { player, isCopied, suggestions, onNext, onClose } = props
  const { data: clip = props.clip } = trpc.clip.byId.useQuery(
    { id: props.clip.id },
    {
      initialData: props.clip,
      refetchInterval: ({ state: { data } }) => (data?.isFileComing ? FILE_POLL_MS : false),
    },
  )
  const { id, title } = clip
  const path = `/clip/${id}`
  const squads = trpc.squad.mine.useQuery()
  const hasSquads = squads.data?.joined.length !== 0
  const canShare = typeof navigator.share === 'function'
  const rootRef = useRef<HTMLElement>(null)
  useEffect(() => rootRef.current?.focus({ preventScroll: true }), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the squads make the card taller.
  useEffect(() => {
    rootRef.current?.scrollIntoView({ block: 'nearest' })
  }, [squads.isPending])
  return (
    <section
      ref={rootRef}
      className={`${classes.root} ${look('framed', 'pad12')}`}
      aria-label="Your clip"
      data-maker
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      <LoopingPicture player={player} />
      <div className={`${classes.head} ${row(8, 'between')}`}>
        <p className={`${classes.state} ${row(4, 'strong')}`} role="status">
          {isCopied && (
            <>
              <IconCheck size={18} stroke={2.5} aria-hidden />
              Link copied
            </>
          )}
          {isCopied === false && 'Your clip is ready'}
        </p>
        <ActionIcon aria-label="Close" title="Close" onClick={onClose}>
          <IconX size={20} stroke={1.75} aria-hidden />
        </ActionIcon>
      </div>
      <div className={`${classes.body} ${column(8)}`}>
        <TitleField clip={clip} suggestions={suggestions} />
        <SendToSquads
          sent={{ kind: 'clip', id }}
          isOfPrivateVideo={clip.video.visibility === 'private'}
        />
        <div className={wrapped(8, 'centre')}>
          {canShare && (
            <Button
              variant={hasSquads ? 'default' : 'filled'}
              leftSection={<IconShare3 size={20} stroke={1.75} aria-hidden />}
              onClick={() => void shareLink({ path, title })}
            >
              Share
            </Button>
          )}
          <SendFile shareUrl={clip.shareUrl} title={title} />
          <ClipFile clip={clip} title={title} isSignedIn />
          <Button
            variant="default"
            leftSection={<IconPlayerTrackNext size={20} stroke={1.75} aria-hidden />}
            onClick={onNext}
          >
            Next clip
          </Button>
          {!canShare && (
            <Button
              // The link is on the clipboard already, unless the browser refused.
              variant={isCopied ? 'subtle' : 'default'}
              leftSection={<IconLink size={20} stroke={1.75} aria-hidden />}
              onClick={() => void copyLink(path, LINK_COPIED)}
            >
              Copy link
            </Button>
          )}
          <Link to="/clip/$id" params={{ id: String(id) }} className={classes.open}>
            Open the clip
          </Link>
        </div>
      </div>
    </section>
  )
}

/** Saves the title on Enter, when the field loses focus, or when a suggestion is chosen. */
function TitleField({ clip, suggestions }: { clip: Clip; suggestions: readonly string[] }) {
  const utils = trpc.useUtils()
  const [typed, setTyped] = useState<string>()
  const title = typed ?? clip.title
  const update = trpc.clip.update.useMutation({
    onSuccess: (saved) => {
      utils.clip.byId.setData({ id: saved.id }, saved)
      // Keeps text that was typed while the request was running.
      setTyped((now) => (now?.trim() === saved.title ? undefined : now))
      const { ofVideo, ofChannel, mine, newest, bestOfWeek } = utils.clip
      for (const list of [ofVideo, ofChannel, mine, newest, bestOfWeek]) void list.invalidate()
    },
  })
  const problem = update.error && (serverSentence(update.error) || errorSentence(update.error))
  const save = (text: string) => {
    const wish = text.trim()
    if (wish === clip.title || titleRule(wish) || update.isPending) return
    update.mutate({ id: clip.id, title: wish, was: { title: clip.title } })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save(title)
  }
  const isSaved = update.isSuccess && typed === undefined
  const others = suggestions.filter((other) => other !== clip.title)
  return (
    <form className={column(8)} noValidate onSubmit={submit}>
      <TextInput
        name="title"
        aria-label="Title"
        maxLength={TITLE_MAX}
        autoComplete="off"
        value={title}
        error={titleRule(title) ?? problem}
        rightSection={isSaved && <IconCheck size={18} role="img" aria-label="Saved" />}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={() => save(title)}
        onKeyDown={(event) => {
          // Reverts the typed text instead of closing the card.
          if (event.key !== 'Escape' || typed === undefined) return
          event.stopPropagation()
          setTyped(undefined)
        }}
      />
      {others.length > 0 && (
        <ul className={wrapped(8)} aria-label="Other titles">
          {others.map((other) => (
            <li key={other}>
              <button
                type="button"
                disabled={update.isPending}
                className={`${classes.suggestion} ${look('pill', 'outlined', 'hoverText')}`}
                // Keeps the focus in the field, because losing it would save the typed text.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => {
                  setTyped(undefined)
                  save(other)
                }}
              >
                {other}
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}
