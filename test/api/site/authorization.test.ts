import type { InjectOptions } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { describeApi } from '#server/api-docs/openapi.ts'
import { REST, TRPC } from '#test/support/authorization-rows.ts'
import { procedureRequest, procedures } from '#test/support/procedure-call.ts'
import { setUpTestSite } from '#test/support/set-up-test-site.ts'
import { isOnPostgres } from '#test/support/site-database.ts'
import { multipart } from '#test/support/upload-client.ts'
import { makeWorld, type Role, type World } from '#test/support/world.ts'

const ROLES: Role[] = ['visitor', 'owner', 'other', 'admin', 'ended']

const site = setUpTestSite({ rateLimitScale: 1_000_000 })
beforeAll(async () => {
  // A user who keeps every admin of the table from being the last one.
  await site.addMember('keeper', { isAdmin: true })
  // The site is not ready until the job queue has started.
  await site.deps.jobs.start()
})

let reads: Promise<World> | undefined
/** World for requests that may write. It is used again after a refusal, which must not have changed anything. */
let writes: Promise<World> | undefined

/** Sends one request, in a world that none before has changed. @returns the status */
async function statusFor(role: Role, request: (world: World) => InjectOptions): Promise<number> {
  reads ??= makeWorld(site)
  if (request(await reads).method === 'GET') return send(await reads, role, request)
  writes ??= makeWorld(site)
  const status = await send(await writes, role, request)
  if (status < 400) writes = undefined
  return status
}

async function send(
  world: World,
  role: Role,
  request: (world: World) => InjectOptions,
): Promise<number> {
  const person = world.people[role]
  world.names.me = `${person?.id ?? world.names.owner}`
  const text = JSON.stringify({ ...request(world), payload: undefined })
  const { payload } = request(world)
  const filled = typeof payload === 'string' ? fill(payload, world) : payload
  const answer = await site.call({
    ...JSON.parse(fill(text, world)),
    ...(filled !== undefined && { payload: filled }),
    ...(person && { as: person }),
    // Nobody of the table sits at the machine itself.
    remoteAddress: '198.51.100.7',
    payloadAsStream: true,
  })
  const stream = answer.stream()
  if (!`${answer.headers['content-type']}`.startsWith('text/event-stream')) {
    stream.destroy()
    return answer.statusCode
  }
  for await (const event of stream) {
    const failure = /"httpStatus":(\d+)/.exec(`${event}`)
    if (failure) return Number(failure[1])
    if (/changed|watching/.test(`${event}`)) break
  }
  return answer.statusCode
}

function fill(text: string, { names }: World): string {
  return text.replaceAll(/\{(\w+)\}|%7B(\w+)%7D/g, (all, plain, encoded) => {
    return names[plain ?? encoded] ?? all
  })
}

function restRequest(call: string, body: unknown): (world: World) => InjectOptions {
  const [method = '', url = ''] = call.split(' ')
  const fields = Object.entries(body ?? {})
  return (world) => {
    const request = { method: method as 'GET', url }
    if (body === undefined) return request
    if (!fields.some(([, value]) => Buffer.isBuffer(value))) {
      const headers = { 'content-type': 'application/json' }
      return { ...request, headers, payload: JSON.stringify(body) }
    }
    const filled = fields.map(([name, value]) =>
      typeof value === 'string' ? [name, fill(value, world)] : [name, value],
    )
    return { ...request, ...multipart(Object.fromEntries(filled)) }
  }
}

const statuses = async (request: (world: World) => InjectOptions) => {
  const found: number[] = []
  for (const role of ROLES) found.push(await statusFor(role, request))
  return found.join(' ')
}

describe('REST', () => {
  test.each(REST)('%s answers %s', async (call, expected, body) => {
    expect(await statuses(restRequest(call, body))).toBe(expected)
  })

  test('has every documented path in this table', () => {
    const { paths } = describeApi() as { paths: Record<string, Record<string, object>> }
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const shape = (call: string) => call.replace(/\?.*/, '').replaceAll(/\{\w+\}/g, '{}')
    const listed = new Set([...REST.map(([call]) => shape(call)), 'GET /api/videos/category/{}'])
    expect(documented.map(shape).filter((call) => !listed.has(call))).toEqual([])
    expect(documented).toHaveLength(71)
  })
})

describe('tRPC', () => {
  // On PostgreSQL the site makes no backups itself.
  const OF_BACKUPS = ['backup.start', 'backup.startDrill']
  const tried = isOnPostgres ? TRPC.filter(([name]) => !OF_BACKUPS.includes(name)) : TRPC
  test.each(tried)('%s answers %s', async (name, expected, input) => {
    expect(await statuses(() => procedureRequest(name, input))).toBe(expected)
  })

  test('has every procedure in this table', () => {
    const listed = new Set(TRPC.map(([name]) => name))
    expect(Object.keys(procedures).filter((name) => !listed.has(name))).toEqual([])
    expect([...listed].filter((name) => !(name in procedures))).toEqual([])
  })
})
