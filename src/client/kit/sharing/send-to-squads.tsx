import '#client/kit/styles/mantine-pages.css'
import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { look, stack, wrapped } from '#client/kit/layout/layout.ts'
import { MentionField } from '#client/kit/mention/mention-field.tsx'
import { SquadEmblem } from '#client/kit/squad/squad-emblem.tsx'
import { errorSentence, serverSentence } from '#client/platform/error-message.ts'
import { notify } from '#client/platform/notify.tsx'
import { trpc } from '#client/trpc.ts'
import { POST_MAX } from '#shared/limits.ts'
import type { SquadMark } from '#shared/schemas/squad.schemas.ts'
import classes from './send-to-squads.module.css'

/** The text of a post that is sent without a message. */
const NO_MESSAGE = { clip: 'Watch this clip.', video: 'Watch this video.' }

type Sent = { kind: 'clip' | 'video'; id: number }

type SendToSquadsProps = {
  sent: Sent
  /** Members who may not see a private video see neither the video nor its clips. */
  isOfPrivateVideo: boolean
  hasMessage?: boolean
}

/** Posts the clip or video in one of the viewer's squads. */
export function SendToSquads({ sent, isOfPrivateVideo, hasMessage }: SendToSquadsProps) {
  const headingId = useId()
  const [message, setMessage] = useState('')
  const { joined } = trpc.squad.mine.useQuery().data ?? {}
  if (!joined) return null
  if (joined.length === 0) {
    return hasMessage ? (
      <p className={look('note')}>
        <Link to="/squads">Join or create a squad</Link> to send {sent.kind}s to it.
      </p>
    ) : null
  }
  return (
    <section className={stack(8)} aria-labelledby={headingId}>
      <h3 id={headingId} className={look('smallHeading')}>
        Send to
      </h3>
      {hasMessage && (
        <div className={look('relative')}>
          <MentionField
            aria-label="Message to the squad"
            placeholder="Message (optional)"
            autosize
            minRows={1}
            maxRows={4}
            maxLength={POST_MAX}
            value={message}
            onChange={setMessage}
          />
        </div>
      )}
      <ul className={wrapped(8)}>
        {joined.map((squad) => (
          <li key={squad.id}>
            <SendButton
              sent={sent}
              squad={squad}
              content={message.trim() || NO_MESSAGE[sent.kind]}
            />
          </li>
        ))}
      </ul>
      {isOfPrivateVideo && (
        <p className={look('note')}>Only members who can watch the video see the {sent.kind}.</p>
      )}
    </section>
  )
}

type SendButtonProps = { sent: Sent; squad: SquadMark; content: string }

function SendButton({ sent, squad, content }: SendButtonProps) {
  const utils = trpc.useUtils()
  const { id: squadId, name } = squad
  const isClip = sent.kind === 'clip'
  const send = trpc.post.create.useMutation({
    onSuccess: async ({ withheld }) => {
      const message = withheld
        ? 'Others will see it once an admin has reviewed it.'
        : `It was posted in ${name}.`
      notify({ title: isClip ? 'Clip sent' : 'Video sent', message })
      await Promise.all([utils.squad.posts.invalidate({ id: squadId }), utils.post.invalidate()])
    },
    onError: (error) => {
      const message = serverSentence(error) || errorSentence(error)
      notify({ tone: 'error', title: `The ${sent.kind} was not sent`, message })
    },
  })
  const isDone = send.isPending || send.isSuccess
  return (
    <Button
      className={classes.squad}
      variant="default"
      leftSection={<SquadEmblem squad={squad} size={24} />}
      rightSection={
        send.isSuccess && <IconCheck size={18} stroke={2.5} role="img" aria-label="Sent" />
      }
      // Unlike `disabled`, this keeps the focus on the button.
      aria-disabled={isDone || undefined}
      data-disabled={isDone || undefined}
      onClick={() => {
        if (!isDone)
          send.mutate({
            content,
            squadId,
            ...(isClip ? { clipId: sent.id } : { videoId: sent.id }),
          })
      }}
    >
      {name}
    </Button>
  )
}
