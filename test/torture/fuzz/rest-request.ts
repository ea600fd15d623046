import fc, { type Arbitrary } from 'fast-check'
import type { JsonSchema } from '#server/api-docs/openapi-schema.ts'
import type { Unsent } from './fuzz-request.ts'
import { fromSchema, type Making, sometimes } from './schema-arbitrary.ts'
import { jsonText, toUrlText } from './value-text.ts'

type Parameter = { name: string; in: 'path' | 'query'; required?: boolean; schema: JsonSchema }

/** A documented call, as `/api/openapi.json` describes it. */
export type Operation = {
  method: string
  path: string
  parameters: Parameter[]
  /** Schema of the JSON body. */
  body?: JsonSchema
  /** Schema of the form. */
  form?: JsonSchema
}

type Document = { paths: Record<string, Record<string, DocumentedOperation>> }
type DocumentedOperation = {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}

/** Every call that the document names. */
export function readOperations(document: unknown): Operation[] {
  return Object.entries((document as Document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const body = requestBody?.content['application/json']?.schema
      const form = requestBody?.content['multipart/form-data']?.schema
      const operation = { method: method.toUpperCase(), path, parameters }
      return { ...operation, ...(body && { body }), ...(form && { form }) }
    }),
  )
}

/** A call of JSON, with its parameters and body nearly as they are described. */
export function restRequest(operation: Operation, making: Making): Arbitrary<Unsent> {
  const { method, path, body } = operation
  const request = {
    label: fc.constant(`${method} ${path}`),
    method: fc.constant(method),
    target: targetOf(operation, making),
  }
  if (!body) return fc.record({ ...request, headers: fc.constant([]) })
  return fc.record({
    ...request,
    headers: fc.constant([['content-type', 'application/json']]),
    body: jsonText(fromSchema(body, '', making), making).map((json) => Buffer.from(json)),
  })
}

/** The address of a call, its path's parameters filled in and some of its query given. */
export function targetOf({ path, parameters }: Operation, making: Making): Arbitrary<string> {
  const values = Object.fromEntries(
    parameters.map(({ name, schema }) => [name, fromSchema(schema, name, making).map(toUrlText)]),
  )
  const requiredKeys = parameters.filter((one) => one.in === 'path' || one.required)
  const given = fc.record(values, { requiredKeys: requiredKeys.map(({ name }) => name) })
  const more = sometimes(
    making.wrong,
    fc.constantFrom('__proto__[isAdmin]=1', '_t=1', 'limit=5&limit=6'),
    fc.constant(''),
  )
  return fc.tuple(given, more).map(([filled, unknown]) => {
    const isInPath = (name: string) => path.includes(`{${name}}`)
    const target = path.replace(/\{(\w+)\}/g, (_, name) => filled[name] || '%20')
    const query = Object.entries(filled).filter(([name]) => !isInPath(name))
    const pairs = [...query.map((pair) => pair.join('=')), ...(unknown ? [unknown] : [])]
    return pairs.length > 0 ? `${target}?${pairs.join('&')}` : target
  })
}
