import { look, stack } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import type { Node } from '#shared/schemas/desk/node.schemas.ts'
import { countOf } from '#shared/text/format.ts'
import { TimeAgo } from '../../kit/video/time-ago.tsx'
import { errorSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import { StateLabel } from '../moderation/subject.tsx'
import styles from './nodes-panel.module.css'

const REFRESH_MS = 5000
const STATES: Record<Node['state'], string> = {
  serving: 'Serving',
  unready: 'Not ready',
  draining: 'Draining',
  silent: 'Silent',
}

/** Polls with several nodes. */
export function useNodes() {
  return trpc.node.list.useQuery(undefined, {
    refetchInterval: ({ state }) => (state.data?.nodes.length ? REFRESH_MS : false),
  })
}

/** Renders nothing for a single process. */
export function NodesPanel({ found }: { found: ReturnType<typeof useNodes> }) {
  const { data, error } = found
  if (data?.nodes.length === 0) return null
  return (
    <Panel title="Nodes">
      {!data && <p role="alert">The nodes could not be loaded: {errorSentence(error)}</p>}
      {data?.versionsDiffer && (
        <p>They run different versions, as they do during an update. Update the others soon.</p>
      )}
      {data?.nodes.some(({ state }) => state === 'silent') && (
        <p className={look('errorColor')}>
          A silent node lost the database, or stopped without a word. It leaves this list after 30
          seconds.
        </p>
      )}
      <ul className={stack(0)}>
        {data?.nodes.map((node) => (
          <NodeRow key={node.id} node={node} />
        ))}
      </ul>
    </Panel>
  )
}

function NodeRow({ node }: { node: Node }) {
  return (
    <li className={styles.node}>
      <span>
        <StateLabel state={node.state}>{STATES[node.state]}</StateLabel>
      </span>
      <span className={`${styles.name} ${look('strong', 'breakWords')}`}>
        {node.name}
        {node.isAsked && <span className={look('muted')}> (answers you now)</span>}
      </span>
      <span className={`${look('note')} ${styles.about}`}>
        Version {node.version} · started <TimeAgo time={node.startedAt} /> · seen{' '}
        {countOf(node.secondsSilent, 'second')} ago
      </span>
      {node.state === 'unready' && (
        <span className={`${look('problem')} ${styles.problem}`}>{node.problem}</span>
      )}
    </li>
  )
}
