import { expect } from 'vitest'
import type { VideoLevel } from '#shared/schemas/visibility.schemas.ts'
import type { LevelRow } from './level-rows.ts'
import { LEVELS, type Names, type People, ROLES, type Role, WORDS } from './planted-levels.ts'
import { procedureRequest } from './procedure-call.ts'
import type { TestSite } from './test-site.ts'

export type Planted = {
  site: Pick<TestSite, 'call'>
  people: People
  names: Record<VideoLevel, Names>
}

const LETTERS: Record<VideoLevel, string> = {
  public: 'p',
  members: 'm',
  unlisted: 'u',
  private: 'v',
  squad: 's',
}
/** Who meets what is of a level where something else was asked for. */
const MEET: Record<VideoLevel, readonly Role[]> = {
  public: ROLES,
  members: ROLES.filter((role) => role !== 'visitor'),
  unlisted: ['owner', 'admin'],
  private: ['owner', 'admin'],
  squad: ['named', 'owner', 'admin'],
}
/** Counts the roles that the table has a column for, from visitor to admin. */
const COLUMNS = 5
/** What became of a link. */
export const LINKS = ['live', 'expired', 'revoked'] as const

/** A value that is a name alone becomes a number where that is one. */
function fillInput(input: unknown, names: Names): unknown {
  const text = JSON.stringify(input ?? null)
  const filled = text.replaceAll(/"\{(\w+)\}"/g, (_, name) => {
    const value = names[name] ?? '1'
    return /^\d+$/.test(value) ? value : JSON.stringify(value)
  })
  return JSON.parse(filled) ?? undefined
}

/** How a row is asked for, with these names. */
export function toRequest([call, , input]: LevelRow, names: Names) {
  if (!call.startsWith('GET ')) return procedureRequest(call, fillInput(input, names))
  const url = call.slice('GET '.length).replaceAll(/\{(\w+)\}/g, (_, name) => names[name] ?? '1')
  return { method: 'GET' as const, url }
}

/** Asks as a role, with the names of a level. @returns the levels whose word or file is in the answer */
async function readLevels(
  { site, people, names }: Planted,
  row: LevelRow,
  { level, role, more }: { level: VideoLevel; role: Role; more: Names },
): Promise<VideoLevel[]> {
  const as = people[role]
  const filled = {
    ...names[level],
    squad: names.squad.squad ?? '',
    me: `${as?.id ?? 1}`,
    grant: 'none',
    ...more,
  }
  const request = toRequest(row, filled)
  const answer = await site.call({ ...request, ...(as && { as }) })
  const told = (JSON.stringify(answer.headers) + answer.body).replaceAll(request.url, '')
  if (row[0].startsWith('GET ') && as === undefined) {
    const { statusCode, headers } = await site.call({ ...request, method: 'HEAD' })
    expect([request.url, statusCode]).toEqual([request.url, answer.statusCode])
    expect(JSON.stringify(headers)).not.toMatch(new RegExp(Object.values(WORDS).join('|')))
  }
  const handed = `${answer.headers['x-accel-redirect'] ?? ''}`
  return LEVELS.filter(
    (one) => told.includes(WORDS[one]) || handed.includes(names[one].mediaKey ?? 'none'),
  )
}

/** The letters of the levels that a row shows, and what it shows of others that the role may not meet. */
async function readRow(planted: Planted, row: LevelRow, asked: { role: Role; link?: string }) {
  const { role, link = '' } = asked
  const read = (level: VideoLevel) =>
    readLevels(planted, row, { level, role, more: { token: planted.names[level][link] ?? '' } })
  if (!isOfLevel(row)) return toLetters(await read('public'))
  const shown: VideoLevel[] = []
  const leaks: string[] = []
  for (const level of LEVELS) {
    const seen = await read(level)
    if (seen.includes(level)) shown.push(level)
    const others = seen.filter((other) => other !== level && !MEET[other].includes(role))
    leaks.push(...others.map((other) => `${other} with the address of ${level}`))
  }
  return [toLetters(shown), ...leaks].join(', ')
}

/** Whether the address or the input is another one for each level. */
const isOfLevel = (row: LevelRow) =>
  /\{(?!(?:me|owner|named|squad|grant)\})\w+\}/.test(JSON.stringify(row))

const toLetters = (levels: VideoLevel[]) => levels.map((level) => LETTERS[level]).join('') || '-'

const describeRow = ([call, , input]: LevelRow) => `${call} ${JSON.stringify(input ?? '')}`
/** Whether a row is answered with a file. */
export const isFile = ([call]: LevelRow) => /\/(media|cdn)\/|\/download/.test(call)

/** Of a rival or former member of the squad: the sixth column, or else what a member sees. */
function expectedOf([, levels]: LevelRow, role: Role): string | undefined {
  const columns = levels.split(' ')
  const column = ROLES.indexOf(role)
  return column < COLUMNS ? columns[column] : (columns[COLUMNS] ?? columns[ROLES.indexOf('member')])
}

/** What the answers to a role show, row by row, and what the table says. */
export async function readTable(planted: Planted, rows: LevelRow[], role: Role) {
  const found: string[] = []
  const expected: string[] = []
  for (const row of rows) {
    found.push(`${describeRow(row)}: ${await readRow(planted, row, { role })}`)
    expected.push(`${describeRow(row)}: ${expectedOf(row, role)}`)
  }
  return { found, expected }
}

/** The same of rows with a link's token, by what became of the link. */
export async function readLinks(planted: Planted, rows: LevelRow[], role: Role) {
  const found: string[] = []
  const expected: string[] = []
  for (const row of rows) {
    const seen: string[] = []
    for (const link of LINKS) {
      seen.push(await readRow(planted, row, { role, link }))
    }
    found.push(`${describeRow(row)}: ${seen.join(' ')}`)
    expected.push(`${describeRow(row)}: ${row[1]}`)
  }
  return { found, expected }
}
