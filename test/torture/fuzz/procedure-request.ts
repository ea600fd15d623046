import { type JsonSchema, toJsonSchema } from '#server/api-docs/openapi-schema.ts'
import { procedures } from '#test/support/procedure-call.ts'
import { type Making, makeHostile, makeValue } from './from-schema.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { HOSTILE_KEYS } from './hostile-values.ts'
import { toJson, toUrlText, type Value } from './value.ts'

type Procedure = { name: string; isMutation: boolean; input: JsonSchema | undefined }

/** Every procedure of the router, with the schema that zod makes of its input. */
const allProcedures: readonly Procedure[] = Object.entries(procedures).map(([name, { _def }]) => ({
  name,
  isMutation: _def.type === 'mutation',
  input: _def.inputs[0] && toJsonSchema(_def.inputs[0], 'input'),
}))

const queries = allProcedures.filter(({ isMutation }) => !isMutation)
const mutations = allProcedures.filter(({ isMutation }) => isMutation)

/** One procedure, called as tRPC's client does or nearly. */
export function makeProcedureRequest(making: Making): Omit<FuzzRequest, 'as'> {
  const { random, wrong } = making
  const procedure = random.pick(allProcedures)
  const isMutation = random.chance(wrong / 4) ? !procedure.isMutation : procedure.isMutation
  const name = random.chance(wrong / 4) ? distortName(procedure.name, making) : procedure.name
  const input = makeInput(procedure, making)
  if (isMutation) {
    const json = input === undefined ? '' : toJson(input)
    return post(`/trpc/${name}`, json, procedure.name)
  }
  const query = input === undefined ? '' : `?input=${toUrlText(toJson(input))}`
  return get(`/trpc/${name}${query}`, procedure.name)
}

/** Several procedures in one request, as tRPC's client sends what is asked for at once, or nearly. */
export function makeBatchRequest(making: Making): Omit<FuzzRequest, 'as'> {
  const { random, wrong } = making
  const isMutation = random.chance(0.4)
  const length = random.chance(wrong / 3) ? random.pick([0, 21, 200]) : random.whole(1, 20)
  const pool = random.chance(wrong / 3) ? allProcedures : isMutation ? mutations : queries
  const chosen = Array.from({ length }, () => random.pick(pool)).filter(isNoStream)
  const names = chosen.map(({ name }) =>
    random.chance(wrong / 8) ? distortName(name, making) : name,
  )
  const comma = random.chance(wrong / 4) ? '%2C' : ','
  const target = `/trpc/${names.join(comma)}?batch=${random.chance(wrong / 6) ? '2' : '1'}`
  const inputs = chosen.flatMap((procedure, index): [string, Value][] => {
    const input = makeInput(procedure, making)
    const key = random.chance(wrong / 6) ? random.pick(HOSTILE_KEYS) : String(index)
    return input === undefined ? [] : [[key, input]]
  })
  const json = random.chance(wrong / 6) ? toJson(makeHostile(making)) : toJson({ fields: inputs })
  const label = `batch of ${isMutation ? 'mutations' : 'queries'}`
  return isMutation ? post(target, json, label) : get(`${target}&input=${toUrlText(json)}`, label)
}

/** A stream among others is an answer of its own kind; it is called alone. */
function isNoStream({ name }: Procedure): boolean {
  return procedures[name]?._def.type !== 'subscription'
}

function makeInput({ input }: Procedure, making: Making): Value | undefined {
  const { random, wrong } = making
  if (!input) return random.chance(wrong) ? makeHostile(making) : undefined
  return random.chance(wrong / 6) ? undefined : makeValue(input, '', making)
}

function distortName(name: string, { random }: Making): string {
  const [noun] = name.split('.')
  return random.pick([
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
  ])
}

const get = (target: string, label: string) => ({ label, method: 'GET', target, headers: [] })
const post = (target: string, json: string, label: string): Omit<FuzzRequest, 'as'> => ({
  label,
  method: 'POST',
  target,
  headers: [['content-type', 'application/json']],
  body: Buffer.from(json),
})
