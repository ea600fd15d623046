import fc, { type Arbitrary } from 'fast-check'
import type { JsonSchema } from '#server/api-docs/openapi-schema.ts'
import { HOSTILE_KEYS, HOSTILE_TEXTS } from './hostile-values.ts'
import type { KnownValues } from './known-values.ts'
import { PASSWORD } from './people.ts'

export type Making = {
  known: KnownValues
  /** How likely each part is to be something else than the schema says, 0 to 1. */
  wrong: number
}

const WORDS = ['Ace', 'clutch', 'on', 'Mirage', 'heli', 'raid', 'über', '1:23', '@ann', 'GG', '火']
/** Longer ones are among the hostile texts. */
const TEXT_LENGTH = 200

/** Counterexamples shrink to `usual`. */
export function sometimes<Value>(
  probability: number,
  unusual: Arbitrary<Value>,
  usual: Arbitrary<Value>,
): Arbitrary<Value> {
  const weight = Math.round(probability * 1000)
  return fc.oneof(
    { withCrossShrink: true },
    { arbitrary: usual, weight: 1000 - weight },
    { arbitrary: unusual, weight },
  )
}

/** Of a row that is likely to be there. */
const id = fc.integer({ min: 1, max: 40 })

export const hostileText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.nat({ max: 0xffff }).map((code) => String.fromCharCode(code)) }),
)

export const hostileValue: Arbitrary<unknown> = fc.oneof(
  { arbitrary: hostileText, weight: 3 },
  fc.jsonValue(),
  fc.double(),
)

/** A value as a schema describes it, or nearly. */
export function fromSchema(schema: JsonSchema, name: string, making: Making): Arbitrary<unknown> {
  return sometimes(making.wrong, hostileValue, meantBy(schema, name, making))
}

function meantBy(schema: JsonSchema, name: string, making: Making): Arbitrary<unknown> {
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (choices) return fc.oneof(...choices.map((one) => fromSchema(one, name, making)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  return fc.oneof(...types.map((type) => ofType(type, { schema, name, making })))
}

type Described = { schema: JsonSchema; name: string; making: Making }

function ofType(type: unknown, described: Described): Arbitrary<unknown> {
  const { schema, name, making } = described
  if (type === 'object') return fields(schema, making)
  if (type === 'array') return list(described)
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  const made = type === 'integer' || type === 'number' ? number(described) : text(described)
  const isId = /id$/i.test(name)
  const known = fc.nat().map((at) => making.known.at(name, at))
  return fc
    .tuple(sometimes(isId ? 0.5 : 0.85, known, fc.constant(undefined)), made)
    .map(([one, other]) => (one === undefined ? other : type === 'string' ? `${one}` : one))
}

function fields(schema: JsonSchema, making: Making): Arbitrary<object> {
  const { wrong } = making
  const model = Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([key, one]) => [
      key,
      fromSchema(one, key, making),
    ]),
  )
  const whole = fc.record(model, { requiredKeys: schema.required ?? [] })
  const meant = sometimes(wrong / 2, fc.record(model, { requiredKeys: [] }), whole)
  const more = fc
    .tuple(meant, fc.constantFrom(...HOSTILE_KEYS), hostileValue)
    .map(([object, key, value]) => ({ ...object, [key]: value }))
  return sometimes<object>(wrong, more, meant)
}

function list({ schema, name, making }: Described): Arbitrary<unknown[]> {
  const item = fromSchema(schema.items ?? {}, name.replace(/s$/, ''), making)
  const long = fc.tuple(item, fc.constantFrom(0, 101, 600))
  return sometimes(
    making.wrong,
    long.map(([one, length]) => Array.from({ length }, () => one)),
    fc.array(item, { maxLength: 4 }),
  )
}

function number({ schema, name }: Described): Arbitrary<number> {
  if (/id$/i.test(name)) return id
  const min = Math.ceil(Math.max(Number(schema.minimum ?? 0), -1000))
  const max = Math.max(min, Math.floor(Math.min(Number(schema.maximum ?? 1000), 500_000_000)))
  const whole = fc.integer({ min, max })
  return schema.type === 'number' ? fc.oneof(whole, fc.double({ min, max, noNaN: true })) : whole
}

function text({ schema, name }: Described): Arbitrary<string> {
  const { minLength = 0, maxLength = TEXT_LENGTH, pattern, format } = schema
  if (/password/i.test(name)) return fc.constantFrom(PASSWORD, 'wrong horse', 'x'.repeat(200))
  if (/email/i.test(name)) return fc.emailAddress()
  if (format === 'date-time')
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  if (typeof pattern === 'string' && !pattern.includes('[1-9]'))
    return fc.stringMatching(new RegExp(pattern))
  if (/id$/i.test(name)) return id.map(String)
  const lengths = {
    minLength: Number(minLength),
    maxLength: Math.min(Number(maxLength), TEXT_LENGTH),
  }
  const words = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 })
  return fc.oneof(
    words.map((some) => some.join(' ')),
    fc.string({ ...lengths, unit: 'grapheme' }),
  )
}
