import type { z } from 'zod'
import type { Page } from '#shared/field.schemas.ts'

/** An answer's JSON, and for a page that of its items alone. */
type Written = { text: () => string; items?: string }

const WRITTEN = Symbol('written')

/** What an answer is as JSON, if it was written before. */
export function writtenAnswer(answer: unknown): Written | undefined {
  return typeof answer === 'object' && answer !== null && WRITTEN in answer
    ? (answer[WRITTEN] as Written)
    : undefined
}

/** An answer that its schema has seen before, with its JSON; nobody may change it. */
export function readyAnswer<Answer extends object>(answer: Answer, text: string): Answer {
  return Object.defineProperty(answer, WRITTEN, { value: { text: () => text } satisfies Written })
}

/** A page whose items are written already; who wants them as values reads them from there. */
export function readyPage<Item, More extends object = object>(
  page: { items: string; nextCursor: string | null },
  more?: More,
): Page<Item> & More {
  const { items, nextCursor } = page
  const rest = { nextCursor, ...more } as { nextCursor: string | null } & More
  const written: Written = {
    items,
    text: () => `{"items":${items},${JSON.stringify(rest).slice(1)}`,
  }
  const answer = {
    get items() {
      return JSON.parse(items) as Item[]
    },
    ...rest,
  }
  return Object.defineProperty(answer, WRITTEN, { value: written })
}

/** An output schema that lets ready answers pass, which it has seen when they were made. */
export function orReady<Schema extends z.ZodType>(schema: Schema): Schema {
  const parse = (answer: unknown) => (writtenAnswer(answer) ? answer : schema.parse(answer))
  return Object.create(schema, { parseAsync: { value: undefined }, parse: { value: parse } })
}
