import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { column, row } from '#client/kit/layout/layout.ts'
import { useSignInLink } from '#client/platform/sign-in-link.ts'
import { useSession } from '../../account/auth/use-session.ts'
import { LinkButton } from '../../kit/control/link-button.tsx'
import { LostDrawing } from '../../kit/drawings/lost-drawing.tsx'
import { EmptyState } from '../../kit/list/empty-state.tsx'
import { lazyPart } from '../../kit/list/lazy-part.tsx'
import { LoadError } from '../../kit/list/load-error.tsx'
import { PageTitle } from '../../kit/page-title.tsx'
import { PageSpinner } from '../../kit/spinner.tsx'
import { errorStatus, serverSentence } from '../../platform/error-message.ts'
import { LinkPassword } from '../../watch/share-link/link-password.tsx'
import { LinkedPlaylist } from '../../watch/share-link/linked-playlist.tsx'
import { LinkedVideo } from '../../watch/share-link/linked-video.tsx'
import { useOpening } from '../../watch/share-link/use-opening.ts'
import { Logo } from '../shell/header/header.tsx'
import classes from './share-link-page.module.css'

/** In the chunk of the watch page: two chunks of both would be larger. */
const Player = lazyPart(async () => ({ default: (await import('./watch-page.tsx')).VideoPlayer }))

const route = getRouteApi('/bare/s/$token')

/** Shows the linked video or playlist only. */
export function ShareLinkPage() {
  const signIn = useSignInLink()
  const { token } = route.useParams()
  const user = useSession()
  return (
    <div className={classes.page}>
      <header className={`${row(16, 'between')} ${classes.header}`}>
        <Logo />
        {!user && (
          <LinkButton {...signIn} variant="default">
            Sign in
          </LinkButton>
        )}
      </header>
      <main className={`${column(16)} ${classes.main}`}>
        <Opened key={token} token={token} />
      </main>
    </div>
  )
}

function Opened({ token }: { token: string }) {
  const opening = useOpening(token)
  const [hasEnded, setEnded] = useState(false)
  const { data: opened, error, variables } = opening
  const onEnd = () => setEnded(true)
  const status = errorStatus(error)
  if (hasEnded || status === 404) return <DeadLink />
  if (opened) {
    const isVideo = opened.kind === 'video'
    return (
      <>
        <PageTitle title={isVideo ? opened.video.title : opened.title} />
        {isVideo ? (
          <LinkedVideo entry={opened} grant={opened.grant} {...{ Player, token, onEnd }} />
        ) : (
          <LinkedPlaylist {...{ Player, opened, token, onEnd }} />
        )}
      </>
    )
  }
  const wasPasswordGiven = Boolean(variables?.password)
  if (status === 403 || wasPasswordGiven) {
    return (
      <>
        <PageTitle title="Shared with a password" />
        <LinkPassword
          isPending={opening.isPending}
          problem={error && wasPasswordGiven ? serverSentence(error) : undefined}
          onSubmit={(password) => opening.mutate({ token, password })}
        />
      </>
    )
  }
  if (!error) return <PageSpinner />
  return (
    <>
      <h1 className="visually-hidden">Shared link</h1>
      <LoadError error={error} onRetry={() => opening.mutate({ token })} />
    </>
  )
}

function DeadLink() {
  return (
    <>
      <PageTitle title="Shared link" />
      <EmptyState
        role="status"
        heading="h1"
        drawing={<LostDrawing />}
        title="This link does not work any more"
      >
        Its owner revoked it, or it has expired. Whoever sent it to you can make another.
      </EmptyState>
    </>
  )
}
