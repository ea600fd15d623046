import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import type { z } from 'zod'
import { appRouter } from '#server/app-router.ts'
import { expectPlain } from './sentence.ts'
import type { TestMember, TestSite } from './test-site.ts'

type Procedure = { _def: { type: 'query' | 'mutation' | 'subscription'; inputs: z.ZodType[] } }

/** Every procedure of the server, by its name: 'video.get'. */
export const procedures = (appRouter._def as unknown as { procedures: Record<string, Procedure> })
  .procedures

/** Where and how a procedure is called over HTTP. */
export function procedureRequest(name: string, input?: unknown) {
  const isQuery = procedures[name]?._def.type !== 'mutation'
  if (!isQuery) {
    const payload = JSON.stringify(input ?? {})
    const headers = { 'content-type': 'application/json' }
    return { method: 'POST' as const, url: `/trpc/${name}`, payload, headers }
  }
  const query = input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`
  return { method: 'GET' as const, url: `/trpc/${name}${query}` }
}

/** Calls a procedure over HTTP as `as`, or as a visitor. */
export function callProcedure(
  site: TestSite,
  call: { as?: TestMember | undefined; name: string; input?: unknown },
): Promise<LightMyRequestResponse> {
  const { as, name, input } = call
  return site.call({ ...(as && { as }), ...procedureRequest(name, input) })
}

/** What a procedure answers. @throws when it fails */
export async function answerOf<Output>(
  site: TestSite,
  call: { as?: TestMember | undefined; name: string; input?: unknown },
): Promise<Output> {
  const answer = await callProcedure(site, call)
  if (answer.statusCode !== 200) {
    throw new Error(`${call.name}: ${answer.statusCode} ${answer.body}`)
  }
  return answer.json().result.data
}

/**
 * Calls procedures of a site: `ask` answers what they answer or throws, `call` the response, `statusOf` its status, and `refusal`
 * its status and sentence, such as '403 Admin access required', which has to be a plain one.
 */
export const callsOf = (site: TestSite) => ({
  ask: <Output>(as: TestMember | undefined, name: string, input?: unknown) =>
    answerOf<Output>(site, { as, name, input }),
  call: (as: TestMember | undefined, name: string, input?: unknown) =>
    callProcedure(site, { as, name, input }),
  statusOf: async (as: TestMember | undefined, name: string, input?: unknown) =>
    (await callProcedure(site, { as, name, input })).statusCode,
  refusal: async (as: TestMember | undefined, name: string, input?: unknown) => {
    const answer = await callProcedure(site, { as, name, input })
    const { message } = answer.json().error
    expectPlain(message)
    return `${answer.statusCode} ${message}`
  },
})

/** Expects a procedure's refusal: its status, and its sentence. */
export function expectRefused(answer: LightMyRequestResponse, status: number, sentence: string) {
  const refusal = { status: answer.statusCode, message: answer.json().error?.message }
  expect(refusal).toEqual({ status, message: sentence })
}
