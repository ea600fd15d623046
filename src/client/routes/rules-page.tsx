import { look, stack } from '#client/kit/layout/layout.ts'
import { LoadError } from '../kit/list/load-error.tsx'
import { PageTitle } from '../kit/page-title.tsx'
import { PageSpinner } from '../kit/spinner.tsx'
import { RichText } from '../kit/video/rich-text.tsx'
import { errorSentence } from '../platform/error-message.ts'
import { trpc } from '../trpc.ts'
import { NotFoundPage } from './not-found-page.tsx'
import classes from './text-page.module.css'

export function RulesPage() {
  const rules = trpc.site.rules.useQuery()
  if (rules.isPending) return <PageSpinner />
  if (!rules.data) {
    return (
      <LoadError
        text={`The rules could not be loaded: ${errorSentence(rules.error)}`}
        error={rules.error}
        onRetry={() => void rules.refetch()}
      />
    )
  }
  if (rules.data.text === '') return <NotFoundPage />
  return (
    <article className={`${stack(16)} ${classes.page}`}>
      <PageTitle title="Rules" />
      <h1 className={look('size28')}>Rules</h1>
      {toBlocks(rules.data.text).map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a text has no other order than its own.
        <Block key={index} block={block} />
      ))}
    </article>
  )
}

type RuleBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: string[] }

/** Times are not links. */
const NO_VIDEO = { durationSeconds: 0, onSeek: () => {} }

function Block({ block }: { block: RuleBlock }) {
  if (block.kind === 'heading') return <h2 className={look('above8', 'heading')}>{block.text}</h2>
  if (block.kind === 'text') {
    return (
      <p className={classes.text}>
        <RichText text={block.text} {...NO_VIDEO} />
      </p>
    )
  }
  return (
    <ul className={classes.list}>
      {block.items.map((item) => (
        <li key={item}>
          <RichText text={item} {...NO_VIDEO} />
        </li>
      ))}
    </ul>
  )
}

/** `#` begins a heading, `-` or `*` a list item. */
function toBlocks(text: string): RuleBlock[] {
  const blocks: RuleBlock[] = []
  for (const line of text.split('\n')) {
    const last = blocks.at(-1)
    const heading = /^#{1,6}\s+(.+)/.exec(line)?.[1]
    const item = /^\s*[-*]\s+(.+)/.exec(line)?.[1]
    if (heading) blocks.push({ kind: 'heading', text: heading })
    else if (item && last?.kind === 'list') last.items.push(item)
    else if (item) blocks.push({ kind: 'list', items: [item] })
    else if (line.trim() === '') blocks.push({ kind: 'text', text: '' })
    else if (last?.kind === 'text' && last.text) last.text += `\n${line}`
    else blocks.push({ kind: 'text', text: line })
  }
  return blocks.filter((block) => block.kind === 'list' || block.text !== '')
}
