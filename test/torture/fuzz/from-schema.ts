import type { JsonSchema } from '#server/api-docs/openapi-schema.ts'
import type { Random } from '#tools/seed/random.ts'
import { HOSTILE_KEYS, HOSTILE_TEXTS, HOSTILE_VALUES } from './hostile-values.ts'
import type { KnownValues } from './known-values.ts'
import type { Value } from './value.ts'

export type Making = {
  random: Random
  known: KnownValues
  /** How likely each part is to be something else than the schema says, 0 to 1. */
  wrong: number
}

const WORDS = ['Ace', 'clutch', 'on', 'Mirage', 'heli', 'raid', 'über', '1:23', '@ann', 'GG', '火']
const ID_MAX = 40

/** A value as a schema describes it, or nearly. */
export function makeValue(schema: JsonSchema, name: string, making: Making): Value {
  const { random } = making
  if (random.chance(making.wrong)) return makeHostile(making)
  const choices = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (choices) return makeValue(random.pick(choices), name, making)
  if (schema.const !== undefined) return schema.const as Value
  if (Array.isArray(schema.enum)) return random.pick(schema.enum as Value[])
  const types = ([] as unknown[]).concat(schema.type ?? [])
  switch (random.pick(types.length > 0 ? types : ['string'])) {
    case 'object':
      return makeFields(schema, making)
    case 'array':
      return makeList(schema, name, making)
    case 'integer':
    case 'number':
      return makeNumber(schema, name, making)
    case 'boolean':
      return random.chance(0.5)
    case 'null':
      return null
    default:
      return makeText(schema, name, making)
  }
}

export function makeHostile({ random }: Making): Value {
  return random.chance(0.6) ? random.pick(HOSTILE_TEXTS) : random.pick(HOSTILE_VALUES)
}

function makeFields(schema: JsonSchema, making: Making): Value {
  const { random, wrong } = making
  const required = new Set(schema.required ?? [])
  const entries = Object.entries(schema.properties ?? {})
    .filter(([key]) => (required.has(key) ? !random.chance(wrong / 2) : random.chance(0.5)))
    .map(([key, one]): [string, Value] => [key, makeValue(one, key, making)])
  if (random.chance(wrong)) entries.push([random.pick(HOSTILE_KEYS), makeHostile(making)])
  const [first] = entries
  if (first && random.chance(wrong / 2)) entries.push([first[0], makeHostile(making)])
  return { fields: entries }
}

function makeList(schema: JsonSchema, name: string, making: Making): Value {
  const { random } = making
  const length = random.chance(making.wrong) ? random.pick([0, 101, 600]) : random.whole(0, 4)
  const singular = name.replace(/s$/, '')
  return Array.from({ length }, () => makeValue(schema.items ?? {}, singular, making))
}

function makeNumber(schema: JsonSchema, name: string, { random, known }: Making): Value {
  if (/id$/i.test(name)) return makeId(name, { random, known })
  const least = Math.max(Number(schema.minimum ?? 0), -1000)
  const most = Math.min(Number(schema.maximum ?? 1000), 500_000_000)
  const number = random.whole(Math.ceil(least), Math.floor(Math.max(least, most)))
  return schema.type === 'number' && random.chance(0.5) ? number + 0.25 : number
}

function makeId(name: string, { random, known }: Pick<Making, 'random' | 'known'>): Value {
  const one = random.chance(0.5) ? known.pick(random, name) : undefined
  return one ?? random.whole(1, ID_MAX)
}

function makeText(schema: JsonSchema, name: string, { random, known }: Making): Value {
  const remembered = random.chance(0.85) ? known.pick(random, name) : undefined
  if (remembered !== undefined) return String(remembered)
  if (/id$/i.test(name) && !/32|16/.test(String(schema.pattern))) {
    return String(random.whole(1, ID_MAX))
  }
  if (/password/i.test(name)) return random.pick(['correct horse', 'wrong horse', 'x'.repeat(200)])
  if (/email/i.test(name)) return `${random.hex(4)}@example.org`
  if (/username/i.test(name)) return `user-${random.hex(3)}`
  if (schema.format === 'date-time') return new Date(random.whole(0, 2e9) * 1000).toISOString()
  if (/\{32\}/.test(String(schema.pattern))) return random.hex(16)
  if (/\{16\}/.test(String(schema.pattern))) return random.hex(8)
  const words = Array.from({ length: random.whole(1, 8) }, () => random.pick(WORDS)).join(' ')
  return words.length < Number(schema.minLength ?? 0) ? words.repeat(40) : words
}
