import type { JsonSchema } from '#server/api-docs/openapi-schema.ts'
import { type Making, makeValue } from './from-schema.ts'
import type { FuzzRequest } from './fuzz-request.ts'
import { toJson, toUrlText, type Value } from './value.ts'

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
export function makeRestRequest(operation: Operation, making: Making): Omit<FuzzRequest, 'as'> {
  const { method, path, body } = operation
  const headers: [string, string][] = []
  let payload: Buffer | undefined
  if (body) {
    headers.push(['content-type', 'application/json'])
    payload = Buffer.from(toJson(makeValue(body, '', making)))
  }
  return {
    label: `${method} ${path}`,
    method,
    target: makeTarget(operation, making),
    headers,
    ...(payload && { body: payload }),
  }
}

/** The address of a call, its path's parameters filled in and some of its query given. */
export function makeTarget({ path, parameters }: Operation, making: Making): string {
  const { random, wrong } = making
  let target = path
  const query: string[] = []
  for (const parameter of parameters) {
    const { name } = parameter
    const value = makeValue(parameter.schema, name, making)
    if (parameter.in === 'path') target = target.replace(`{${name}}`, pathText(value))
    else if (parameter.required || random.chance(0.5)) query.push(`${name}=${toUrlText(value)}`)
    if (query.length > 0 && random.chance(wrong)) query.push(query.at(-1) ?? '')
  }
  if (random.chance(wrong)) query.push('__proto__[isAdmin]=1', '_t=1', 'limit=5')
  return query.length > 0 ? `${target}?${query.join('&')}` : target
}

function pathText(value: Value): string {
  return toUrlText(value) || '%20'
}
