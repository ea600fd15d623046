import { z } from 'zod'
import { chunkFieldsSchema, thumbnailFieldsSchema } from '#shared/upload.schemas.ts'
import { appRouter } from '../app-router.ts'
import { restRoutes } from '../rest-routes.ts'
import type { RestRoute } from './rest-scope.ts'

type JsonSchema = Record<string, unknown> & {
  properties?: Record<string, JsonSchema>
  required?: string[]
}
type Described = { inputs: z.ZodType[]; output: z.ZodType | null; type: string }

const SENTENCE = { 'text/plain': { schema: { type: 'string' } } }
const FAILURES: Record<string, string> = {
  400: 'A field is wrong; the sentence names it.',
  401: 'Sign in first.',
  403: "Not yours to do, or the request came from another site's page.",
  404: 'There is no such thing, or you may not see it.',
  409: 'It conflicts with what is there.',
  413: 'Too large.',
  415: 'Not a kind of content that is taken here.',
  422: 'The file cannot be used; the sentence says why.',
  429: 'Too many of these; `Retry-After` says when to come back.',
}

/** The OpenAPI 3.1 description of the documented calls, made from the schemas that check them. */
export function describeApi(): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of restRoutes) {
    const path = `/api${route.path.replaceAll(/:(\w+)/g, '{$1}')}`
    paths[path] = { ...paths[path], [route.method.toString().toLowerCase()]: describeRoute(route) }
  }
  for (const [name, schema] of [
    ['chunk', chunkFieldsSchema],
    ['thumbnail', thumbnailFieldsSchema],
  ] as const) {
    paths[`/api/uploads/${name}`] = { post: describeMultipart(name, schema) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Clutch',
      version: '1',
      description:
        'Errors are one plain sentence. Lists are newest first; `Link: <…>; rel="next"` leads to the next page.',
    },
    paths,
    components: {
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'clutch' } },
    },
  }
}

function describeRoute(route: RestRoute): object {
  const { inputs, output, type } = findProcedure(route.procedure)
  const input = inputs[0] ? toSchema(inputs[0], 'input') : {}
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const rest = Object.entries(input.properties ?? {}).filter(([name]) => !names.includes(name))
  const isQuery = type === 'query'
  const parameters = [
    ...names.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: input.properties?.[name] ?? { type: 'string' },
    })),
    ...(isQuery ? rest : []).map(([name, schema]) => ({
      name,
      in: 'query',
      required: input.required?.includes(name) ?? false,
      schema,
    })),
  ]
  return {
    operationId: route.procedure,
    tags: [route.procedure.split('.')[0]],
    ...(parameters.length > 0 && { parameters }),
    ...(!isQuery && rest.length > 0 && { requestBody: describeBody(input, rest) }),
    responses: { ...describeSuccess(route, output), ...describeFailures() },
    ...(type === 'mutation' && { security: [{ session: [] }] }),
  }
}

function describeBody(input: JsonSchema, fields: [string, JsonSchema][]): object {
  const names = fields.map(([name]) => name)
  const required = input.required?.filter((name) => names.includes(name)) ?? []
  const schema = { type: 'object', properties: Object.fromEntries(fields), required }
  return { required: true, content: { 'application/json': { schema } } }
}

function describeSuccess(route: RestRoute, output: z.ZodType | null): object {
  if (route.status === 204) return { 204: { description: 'Done.' } }
  const whole = output ? toSchema(output, 'output') : {}
  const schema = route.paged ? whole.properties?.items : whole
  const status = typeof route.status === 'number' ? route.status : 200
  const answer = { description: 'The answer.', content: { 'application/json': { schema } } }
  return typeof route.status === 'function' ? { 200: answer, 201: answer } : { [status]: answer }
}

function describeFailures(): object {
  return Object.fromEntries(
    Object.entries(FAILURES).map(([status, description]) => [
      status,
      { description, content: SENTENCE },
    ]),
  )
}

function describeMultipart(fileField: string, fields: z.ZodType): object {
  const schema = toSchema(fields, 'input')
  const file = { [fileField]: { type: 'string', contentMediaType: 'application/octet-stream' } }
  const body = {
    ...schema,
    properties: { ...schema.properties, ...file },
    required: [...(schema.required ?? []), fileField],
  }
  return {
    operationId: `upload.${fileField}`,
    tags: ['upload'],
    requestBody: { required: true, content: { 'multipart/form-data': { schema: body } } },
    responses: {
      200: {
        description: 'Stored.',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      ...describeFailures(),
    },
    security: [{ session: [] }],
  }
}

function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest as JsonSchema
}

function findProcedure(name: string): Described {
  const { procedures } = appRouter._def as unknown as {
    procedures: Record<string, { _def: Described }>
  }
  const found = procedures[name]
  if (!found) throw new Error(`There is no procedure ${name}.`)
  return found._def
}
