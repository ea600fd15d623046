import type { z } from 'zod'
import type { Page } from '#shared/field.schemas.ts'

/** JSON in pieces, which are joined only as bytes: long texts that live for a moment are work for the collector. */
export type Pieces = readonly string[]

/** An answer's JSON, and for a page that of its items alone. */
type Written = { pieces: () => Pieces; items?: Pieces }

const WRITTEN = Symbol('written')

/** What an answer is as JSON, if it was written before. */
export function writtenAnswer(answer: unknown): Written | undefined {
  return typeof answer === 'object' && answer !== null && WRITTEN in answer
    ? (answer[WRITTEN] as Written)
    : undefined
}

/** An answer that its schema has seen before, with its JSON; nobody may change it. */
export function readyAnswer<Answer extends object>(answer: Answer, text: string): Answer {
  return Object.defineProperty(answer, WRITTEN, {
    value: { pieces: () => [text] } satisfies Written,
  })
}

/** A page whose items are written already; who wants them as values reads them from there. */
export function readyPage<Item, More extends object = object>(
  page: { items: Pieces; nextCursor: string | null },
  more?: More,
): Page<Item> & More {
  const { items, nextCursor } = page
  const rest = { nextCursor, ...more } as { nextCursor: string | null } & More
  const written: Written = {
    items,
    pieces: () => ['{"items":', ...items, `,${JSON.stringify(rest).slice(1)}`],
  }
  const answer = {
    get items() {
      return JSON.parse(items.join('')) as Item[]
    },
    ...rest,
  }
  return Object.defineProperty(answer, WRITTEN, { value: written })
}

export function joinPieces(pieces: Pieces): Buffer {
  let length = 0
  for (const piece of pieces) length += Buffer.byteLength(piece)
  const bytes = Buffer.allocUnsafeSlow(length)
  let end = 0
  for (const piece of pieces) end += bytes.write(piece, end)
  return bytes
}

/** An output schema that lets ready answers pass, which it has seen when they were made. */
export function orReady<Schema extends z.ZodType>(schema: Schema): Schema {
  const parse = (answer: unknown) => (writtenAnswer(answer) ? answer : schema.parse(answer))
  return Object.create(schema, { parseAsync: { value: undefined }, parse: { value: parse } })
}
