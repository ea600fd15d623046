import fc, { type Arbitrary } from 'fast-check'
import { type JsonSchema, toJsonSchema } from '#server/api-docs/openapi-schema.ts'
import { procedures } from '#test/support/procedure-call.ts'
import type { Unsent } from './fuzz-request.ts'
import { HOSTILE_KEYS } from './hostile-values.ts'
import { fromSchema, hostileValue, type Making, sometimes } from './schema-arbitrary.ts'
import { jsonText, toUrlText } from './value-text.ts'

/** As many calls as a batch may have. */
const BATCH_MAX = 20
const LENGTHS = { minLength: 1, maxLength: BATCH_MAX, size: 'max' } as const
const TOO_LONG = { minLength: BATCH_MAX + 1, maxLength: 200, size: 'max' } as const

type Procedure = { name: string; isMutation: boolean; input: JsonSchema | undefined }

/** Every procedure of the router, with the schema that zod makes of its input. */
const allProcedures: readonly Procedure[] = Object.entries(procedures).map(([name, { _def }]) => ({
  name,
  isMutation: _def.type === 'mutation',
  input: _def.inputs[0] && toJsonSchema(_def.inputs[0], 'input'),
}))

/** A stream among others is an answer of its own kind; it is called alone. */
const batched = allProcedures.filter(({ name }) => procedures[name]?._def.type !== 'subscription')

/** One procedure, called as tRPC's client does or nearly. */
export function procedureRequest(making: Making): Arbitrary<Unsent> {
  return fc.oneof(...allProcedures.map((procedure) => callOf(procedure, making)))
}

function callOf({ name, isMutation, input }: Procedure, making: Making): Arbitrary<Unsent> {
  const { wrong } = making
  return fc
    .tuple(
      nameOf(name, wrong / 4),
      sometimes(wrong / 4, fc.constant(!isMutation), fc.constant(isMutation)),
      jsonText(inputOf(input, making), making),
    )
    .map(([called, isPost, json]) => {
      if (isPost) return post(`/trpc/${called}`, json, name)
      return get(`/trpc/${called}${json && `?input=${toUrlText(json)}`}`, name)
    })
}

/** Several procedures in one request, as tRPC's client sends what is asked for at once, or nearly. */
export function batchRequest(making: Making): Arbitrary<Unsent> {
  return fc.oneof(
    { arbitrary: batchOf(true, making), weight: 4 },
    { arbitrary: batchOf(false, making), weight: 6 },
  )
}

function batchOf(isMutation: boolean, making: Making): Arbitrary<Unsent> {
  const { wrong } = making
  const callOf = (procedure: Procedure) =>
    fc.tuple(nameOf(procedure.name, wrong / 8), inputOf(procedure.input, making))
  const meant = fc.oneof(...batched.filter((one) => one.isMutation === isMutation).map(callOf))
  const any = fc.oneof(...batched.map(callOf))
  const calls = sometimes(
    wrong / 3,
    fc.oneof(fc.array(any, LENGTHS), fc.array(meant, TOO_LONG)),
    fc.array(meant, LENGTHS),
  )
  const strangeKey = sometimes(
    wrong / 6,
    fc.constantFrom<(string | undefined)[]>(...HOSTILE_KEYS),
    fc.constant(undefined),
  )
  const inputs = fc.tuple(calls, strangeKey).map(([some, key]) => ({
    names: some.map(([name]) => name),
    fields: Object.fromEntries(some.map(([, input], index) => [key ?? index, input])),
  }))
  return inputs.chain(({ names, fields }) =>
    fc
      .tuple(
        sometimes(wrong / 4, fc.constant('%2C'), fc.constant(',')),
        sometimes(wrong / 6, fc.constant('2'), fc.constant('1')),
        jsonText(sometimes(wrong / 6, hostileValue, fc.constant(fields)), making),
      )
      .map(([comma, batch, json]) => {
        const target = `/trpc/${names.join(comma)}?batch=${batch}`
        const label = `batch of ${isMutation ? 'mutations' : 'queries'}`
        if (isMutation) return post(target, json, label)
        return get(`${target}&input=${toUrlText(json)}`, label)
      }),
  )
}

function inputOf(input: JsonSchema | undefined, making: Making): Arbitrary<unknown> {
  const none = fc.constant(undefined)
  if (!input) return sometimes(making.wrong, hostileValue, none)
  return sometimes(making.wrong / 6, none, fromSchema(input, '', making))
}

/** A procedure's name, or something like it. */
function nameOf(name: string, wrong: number): Arbitrary<string> {
  const [noun] = name.split('.')
  const others = fc.constantFrom(
    `${noun}`,
    `${name}.`,
    `.${name}`,
    `${noun}.constructor`,
    `${noun}.__proto__`,
    '__proto__',
    'constructor.constructor',
    'toString',
    '_def',
    '_def.procedures',
    `${name}%00`,
    name.toUpperCase(),
    name.replace('.', '/'),
    `${name},`,
    `,,${name}`,
    '%E0%A4%A',
    'x'.repeat(400),
  )
  return sometimes(wrong, others, fc.constant(name))
}

const get = (target: string, label: string): Unsent => ({
  label,
  method: 'GET',
  target,
  headers: [],
})
const post = (target: string, json: string, label: string): Unsent => ({
  label,
  method: 'POST',
  target,
  headers: [['content-type', 'application/json']],
  body: Buffer.from(json),
})
