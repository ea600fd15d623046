import type { z } from 'zod'
import { appRouter } from '../app-router.ts'
import type { RestRoute } from '../platform/http/rest-adapter.ts'
import type { syncOutput } from '../platform/trpc.ts'
import { restRoutes } from '../rest-routes.ts'
import { type FormCall, formCalls } from '../video/upload/form-calls.ts'
import { describeRefusals, listRefusals } from './openapi-failures.ts'
import { type JsonSchema, toJsonSchema, toParameterSchema } from './openapi-schema.ts'

const PROBES = {
  health: { summary: 'Whether the site works.', ok: 'The database answers.' },
  ready: {
    summary: 'Whether the site can do all of its work; admins are told what keeps it from that.',
    ok: 'Database, disk and job queue work.',
  },
}

type Described = {
  inputs: z.ZodType[]
  output: z.ZodType | ReturnType<typeof syncOutput> | null
  type: string
}

const SIGNED_IN = [{ session: [] }]
/** API tokens may read and upload. */
const SIGNED_IN_OR_TOKEN = [...SIGNED_IN, { token: [] }]
const EITHER_WAY = [{}, ...SIGNED_IN_OR_TOKEN]
const NEXT_PAGE = {
  Link: {
    description: 'The address of the next page as `<…>; rel="next"`; absent on the last one.',
    schema: { type: 'string' },
  },
}

export function describeApi(): object {
  const paths: Record<string, Record<string, object>> = {}
  const add = (method: string, path: string, operation: object) => {
    const address = `/api${path.replaceAll(/:(\w+)/g, '{$1}')}`
    paths[address] = { ...paths[address], [method.toLowerCase()]: operation }
  }
  for (const route of restRoutes) add(route.method.toString(), route.path, describeRoute(route))
  for (const call of formCalls) add('post', call.path, describeForm(call))
  for (const [name, texts] of Object.entries(PROBES))
    add('get', `/${name}`, describeProbe(name, texts))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Clutch',
      version: '1',
      description:
        'Errors are one plain sentence. Lists are newest first; `Link: <…>; rel="next"` leads to the next page. `_t` in an address is ignored.',
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      responses: describeRefusals(),
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An API token, made in the settings: one to upload with, or one to read with.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'clutch',
          description: 'Set by login and register; named `__Host-clutch` on a site with HTTPS.',
        },
      },
    },
  }
}

function describeRoute(route: RestRoute): object {
  const { inputs, output, type } = findProcedure(route.procedure)
  const input = inputs[0] ? toJsonSchema(inputs[0], 'input') : {}
  const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const others = [...names, ...(route.appOnly ?? [])]
  const rest = Object.entries(input.properties ?? {}).filter(([name]) => !others.includes(name))
  const changes = type === 'mutation'
  const hasBody = changes && rest.length > 0
  const parameters = [
    ...names.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: toParameterSchema(input.properties?.[name] ?? { type: 'string' }),
    })),
    ...(changes ? [] : rest).map(([name, schema]) => ({
      name,
      in: 'query',
      required: input.required?.includes(name) ?? false,
      schema: toParameterSchema(schema),
    })),
  ]
  const own = [...route.failures, ...(route.paged ? [400] : [])]
  return {
    operationId: route.procedure,
    summary: route.summary,
    tags: [route.procedure.split('.')[0]],
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody && { requestBody: describeBody(input, rest) }),
    responses: { ...describeSuccess(route, output), ...listRefusals(own, { changes, hasBody }) },
    security: describeSecurity(route, changes),
  }
}

function describeSecurity({ signedIn, peopleOnly, path }: RestRoute, changes: boolean): object[] {
  if (peopleOnly) return SIGNED_IN
  if (!signedIn) return changes ? [] : EITHER_WAY
  return !changes || path.startsWith('/uploads/') ? SIGNED_IN_OR_TOKEN : SIGNED_IN
}

function describeBody(input: JsonSchema, fields: [string, JsonSchema][]): object {
  const names = fields.map(([name]) => name)
  const required = input.required?.filter((name) => names.includes(name)) ?? []
  const schema = { type: 'object', properties: Object.fromEntries(fields), required }
  const isOptional = required.length === 0
  return { required: !isOptional, content: { 'application/json': { schema } } }
}

function describeSuccess(route: RestRoute, output: Described['output']): Record<string, object> {
  if (route.status === 204) return { 204: { description: 'Done.' } }
  const described = route.body ?? (output && 'schema' in output ? output.schema : output)
  const whole = described ? toJsonSchema(described, 'output') : {}
  const answer = {
    description: 'The answer.',
    ...(route.paged && { headers: NEXT_PAGE }),
    content: {
      'application/json': { schema: route.paged ? (whole.properties?.items ?? {}) : whole },
    },
  }
  if (typeof route.status !== 'function') return { [route.status ?? 200]: answer }
  return {
    200: { ...answer, description: 'It was there before.' },
    201: { ...answer, description: 'Made.' },
  }
}

function describeForm(call: FormCall): object {
  const { name, summary, fileField, fields, answer, path, status = 200 } = call
  const input = fields ? toJsonSchema(fields, 'input') : { properties: {}, required: [] }
  const schema = {
    type: 'object',
    properties: {
      ...input.properties,
      [fileField]: { contentMediaType: 'application/octet-stream', description: call.file },
    },
    required: [...(input.required ?? []), fileField],
  }
  const parameters = Object.entries(call.parameters ?? {}).map(([key, parameter]) => ({
    name: key,
    in: 'path',
    required: true,
    schema: toParameterSchema(toJsonSchema(parameter, 'input')),
  }))
  return {
    operationId: name,
    summary,
    tags: [name.split('.')[0]],
    ...(parameters.length > 0 && { parameters }),
    requestBody: { required: true, content: { 'multipart/form-data': { schema } } },
    responses: {
      [status]: {
        description: 'Stored.',
        content: { 'application/json': { schema: toJsonSchema(answer, 'output') } },
      },
      ...listRefusals(call.failures, { changes: true, hasBody: true }),
    },
    security: path.startsWith('/uploads/') ? SIGNED_IN_OR_TOKEN : SIGNED_IN,
  }
}

/** Not rate-limited. */
function describeProbe(operationId: string, texts: { summary: string; ok: string }): object {
  const { 429: _, ...refusals } = listRefusals([])
  const schema = { type: 'string', const: 'ok' }
  return {
    operationId,
    summary: texts.summary,
    tags: [operationId],
    responses: {
      200: { description: texts.ok, content: { 'text/plain': { schema } } },
      ...refusals,
    },
    security: [],
  }
}

export function listProcedureNames(): string[] {
  return Object.keys(readProcedures())
}

/** tRPC has no public list. */
function readProcedures() {
  const { procedures } = appRouter._def as unknown as {
    procedures: Record<string, { _def: Described }>
  }
  return procedures
}

function findProcedure(name: string): Described {
  const found = readProcedures()[name]
  if (!found) throw new Error(`There is no procedure ${name}.`)
  return found._def
}
