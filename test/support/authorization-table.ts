import { REST, type Row, TRPC, WITH_TOKEN } from './authorization-rows.ts'
import { LEVEL_READS, type LevelRow, LINK_READS } from './level-rows.ts'

const HEAD = `# Who may call what

Written by \`npm run authorization\`. The columns and cells are explained in docs/authorization.md. \`{hidden}\` is a video of
the owner that waits for approval, \`{video}\` a public one; a login is tried with a wrong password.
`

const LEVELS = `## What is shown of each level

What each read shows of a video and a playlist that are **P**ublic, for **M**embers, **U**nlisted or pri**V**ate, with all that hangs
on them: texts, tags, files, comments, and what was noted and told about them. **Named** is a member whom the owner named.
A proxy that sends the files is asked by the same rows. On a site for members, visitors are shown nothing of this.
`

const LINKS = `### With a share link

Whoever asks. Opening a link sets nothing: all that is not in these rows is asked as without it.
`

const LEVEL_COLUMNS = ['Visitor', 'Member', 'Named', 'Owner', 'Admin']
const LINK_COLUMNS = ['Working link', 'Expired link', 'Revoked link']

const COLUMNS = ['Visitor', 'Owner', 'Member', 'Admin']
const TOKEN_COLUMNS = ['Upload token', 'Read token']
const OTHER_REASONS = new Set(['400', '409', '415', '422'])

/** Returns the whole table as Markdown. */
export function writeAuthorization(): string {
  const tokens = new Map(WITH_TOKEN.map(([call, statuses]) => [call, statuses]))
  const open = new Set(WITH_TOKEN.map(([call]) => shapeOf(call)))
  const rest = REST.map((row) => {
    const statuses = tokens.get(row[0])
    if (!statuses && open.has(shapeOf(row[0])))
      throw new Error(`${row[0]} is not tried with a token.`)
    return toRow(row, statuses?.split(' ') ?? ['403', '403'])
  })
  const onlyTokens = WITH_TOKEN.filter(([call]) => !REST.some(([known]) => known === call))
  const sections = [
    HEAD,
    `## REST\n\n${table([...COLUMNS, ...TOKEN_COLUMNS], rest)}`,
    `## REST with a token, where the row above does not say it\n\n${table(
      TOKEN_COLUMNS,
      onlyTokens.map(([call, statuses]) => [`\`${call}\``, ...statuses.split(' ').map(toCell)]),
    )}`,
    `## Procedures\n\n${table(
      COLUMNS,
      TRPC.map((row) => toRow(row, [])),
    )}`,
    `${LEVELS}\n${table(LEVEL_COLUMNS, LEVEL_READS.map(toLevelRow))}`,
    `${LINKS}\n${table(LINK_COLUMNS, LINK_READS.map(toLevelRow))}`,
  ]
  return sections.join('\n')
}

function shapeOf(call: string): string {
  return call.replaceAll(/\{\w+\}/g, '{}')
}

/** The rows of the tests have a fifth column, for a session that is over. */
function toRow([call, statuses, sent]: Row, more: string[]): string[] {
  const byCaller = statuses.split(' ').slice(0, COLUMNS.length)
  return [describeCall(call, sent), ...[...byCaller, ...more].map(toCell)]
}

function toLevelRow([call, levels, sent]: LevelRow): string[] {
  const cells = levels
    .split(' ')
    .slice(0, 5)
    .map((letters) => [...letters.toUpperCase()].join(' '))
  return [describeCall(call, sent), ...cells]
}

/** What is sent is given only where it says what the call is about. */
function describeCall(call: string, sent: Row[2]): string {
  const about = Object.entries(sent ?? {}).filter(
    ([, value]) => /^\{(?!unique)\w+\}$/.test(`${value}`) && typeof value === 'string',
  )
  const fields = about.map(([name, value]) => `${name}: ${value}`).join(', ')
  return fields ? `\`${call}\` with \`${fields}\`` : `\`${call}\``
}

function toCell(status: string): string {
  if (status.startsWith('2')) return 'yes'
  return OTHER_REASONS.has(status) ? `(${status})` : status
}

function table(columns: string[], rows: string[][]): string {
  const head = ['Call', ...columns]
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `${lines.join('\n')}\n`
}
