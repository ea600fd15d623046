import { Link } from '@tanstack/react-router'
import type { ChatPost, Webhook } from '#shared/schemas/desk/webhook.schemas.ts'
import { trpc } from '../../trpc.ts'
import { useDeskAction } from '../use-desk-action.ts'
import { LogDialog, LogEntry } from './log-dialog.tsx'

const REFRESH_MS = 5000
const LABELS: Record<ChatPost['state'], string> = {
  waiting: 'Waiting',
  sending: 'Sending',
  posted: 'Posted',
  unknown: 'Not known',
  refused: 'Refused',
  deleted: 'Deleted',
}
/** The colours of `StateLabel`. */
const TONES: Record<ChatPost['state'], string> = {
  ...{ waiting: 'queued', sending: 'running', posted: 'done' },
  ...{ unknown: 'failed', refused: 'failed', deleted: 'dismissed' },
}

type PostsDialogProps = { webhook: Webhook; onClose: () => void }

export default function PostsDialog({ webhook, onClose }: PostsDialogProps) {
  const { id, name } = webhook
  const log = trpc.webhook.posts.useQuery({ id }, { refetchInterval: REFRESH_MS })
  const action = useDeskAction('webhook')
  const again = trpc.webhook.postAgain.useMutation(
    action({ done: 'It is posted', failed: 'Not posted' }),
  )
  return (
    <LogDialog
      title={`Posts by ${name}`}
      log={log}
      empty="No video was published since it was added."
      onClose={onClose}
    >
      {({ id: postId, videoId, title, state, createdAt, nextAt, lastError }) => (
        <LogEntry
          key={postId}
          state={TONES[state]}
          label={LABELS[state]}
          title={
            title === null ? (
              'Deleted video'
            ) : (
              <Link to="/video/$id" params={{ id: String(videoId) }}>
                {title}
              </Link>
            )
          }
          createdAt={createdAt}
          nextAt={nextAt}
          facts={state === 'waiting' && nextAt === null && ' · waits until the chat can play it'}
          problem={lastError}
          again={
            state === 'unknown' || state === 'refused'
              ? {
                  label: 'Post again',
                  isPending: again.isPending,
                  onPress: () => again.mutate({ postId }),
                }
              : undefined
          }
        />
      )}
    </LogDialog>
  )
}
