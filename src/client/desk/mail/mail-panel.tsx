import { Button } from '@mantine/core'
import { look, stack } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { countOf } from '#shared/text/format.ts'
import { serverSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'

const REFRESH_MS = 15_000

/** Renders nothing on sites without mail settings. */
export function MailPanel() {
  const { data: state } = trpc.mail.state.useQuery(undefined, {
    refetchInterval: ({ state: asked }) => (asked.data?.waiting ? REFRESH_MS : false),
  })
  const test = trpc.mail.sendTest.useMutation()
  if (!state || (!state.server && !state.problem)) return null
  const { server, problem, waiting, failure } = state
  return (
    <Panel id="mail" title="Email">
      <div className={stack(12)}>
        {problem && <p role="alert">{problem}</p>}
        {server && (
          <>
            <p>
              Sent through {server.host}, from {server.from}.{' '}
              {waiting > 0 && `${countOf(waiting, 'email')} not sent yet.`}
            </p>
            {failure && <p className={look('errorColor', 'breakWords')}>Last problem: {failure}</p>}
            <div>
              <Button variant="default" disabled={test.isPending} onClick={() => test.mutate()}>
                {test.isPending ? 'Sending...' : 'Send a test to me'}
              </Button>
            </div>
            <p
              className={look('breakWords', 'hiddenWhenEmpty', test.error ? 'errorColor' : 'muted')}
              role={test.error ? 'alert' : 'status'}
            >
              {test.error && serverSentence(test.error)}
              {test.data && `Sent to ${test.data.address}.`}
            </p>
          </>
        )}
      </div>
    </Panel>
  )
}
