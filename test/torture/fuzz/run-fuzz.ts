import fc, { type Arbitrary } from 'fast-check'
import type { ServerProcess } from '#test/support/server-process.ts'
import { writeRows } from '#test/support/site-rows.ts'
import { findFault, findPlanned } from './check-answer.ts'
import { distorted } from './distort-request.ts'
import { formRequest } from './form-request.ts'
import { type FuzzRequest, PEOPLE, type Unsent } from './fuzz-request.ts'
import { createKnownValues, type KnownValues } from './known-values.ts'
import { pageRequest } from './page-request.ts'
import { restorePeople } from './people.ts'
import { batchRequest, procedureRequest } from './procedure-request.ts'
import { rawRequest } from './raw-request.ts'
import { type Operation, readOperations, restRequest } from './rest-request.ts'
import { type Making, sometimes } from './schema-arbitrary.ts'
import { createSender, type FuzzAnswer } from './send-request.ts'

/** After as many requests everybody is signed in again. */
const ROUND = 250
const AT_ONCE = 10
const EXAMPLE_LENGTH = 600

export type FuzzOutcome = {
  sent: number
  seconds: number
  /** How often each status was answered; 0 for a connection that ended without. */
  statuses: Map<number, number>
  /** Planned 5xx answers, those within a batch too, by status and call. */
  planned: Map<string, number>
  /** How often each call was made. */
  calls: Map<string, number>
  /** How often each fault was found, with the smallest request that showed it. */
  faults: Map<string, { count: number; example: string }>
}

/**
 * Sends at least `requests` requests to a running site, more where a fault is found: then it looks for the smallest one that
 * shows it. The same seed makes the same ones.
 */
export async function runFuzz(
  server: ServerProcess,
  input: { seed: number; requests: number; log?: (line: string) => void },
): Promise<FuzzOutcome> {
  const { seed, requests, log } = input
  const document = await (await fetch(`${server.origin}/api/openapi.json`)).json()
  const known = createKnownValues()
  const request = anyRequest(readOperations(document), known)
  const sender = createSender(server.port)
  const outcome = newOutcome()
  const began = performance.now()
  for (let round = 0; outcome.sent < requests; round++) {
    const people = await writeRows(server, (db) => restorePeople(db, server.dataFolder))
    const numRuns = Math.ceil(Math.min(ROUND, requests - outcome.sent) / AT_ONCE)
    const property = fc.asyncProperty(request, async (one) => {
      const answer = await sender.send({ ...one, headers: [...people[one.as], ...one.headers] })
      if (answer.status === 200) learn(known, answer.text)
      return note(outcome, one, answer)
    })
    const streams = Array.from({ length: AT_ONCE }, (_, stream) => round * AT_ONCE + stream)
    await Promise.all(
      streams.map((stream) => fc.check(property, { seed: seed * 1_000_000 + stream, numRuns })),
    )
    if (round % 40 === 39) log?.(`${outcome.sent} requests sent`)
  }
  sender.close()
  outcome.seconds = (performance.now() - began) / 1000
  return outcome
}

function newOutcome(): FuzzOutcome {
  const counts = { calls: new Map(), statuses: new Map(), planned: new Map() }
  return { sent: 0, seconds: 0, ...counts, faults: new Map() }
}

/** Of one in three nothing is wrong. */
function anyRequest(operations: Operation[], known: KnownValues): Arbitrary<FuzzRequest> {
  const likely = [0, 0, 0.02, 0.1, 0.3].map((wrong) => unsentRequest(operations, { known, wrong }))
  return fc
    .tuple(fc.oneof(...likely), fc.constantFrom(...PEOPLE))
    .map(([request, as]) => ({ ...request, as }))
}

function unsentRequest(operations: Operation[], making: Making): Arbitrary<Unsent> {
  const [forms, calls] = [true, false].map((isForm) =>
    operations.filter(({ form }) => (form !== undefined) === isForm),
  ) as [Operation[], Operation[]]
  const meant = fc.oneof(
    { arbitrary: fc.oneof(...calls.map((call) => restRequest(call, making))), weight: 34 },
    { arbitrary: procedureRequest(making), weight: 36 },
    { arbitrary: batchRequest(making), weight: 10 },
    { arbitrary: fc.oneof(...forms.map((form) => formRequest(form, making))), weight: 6 },
    { arbitrary: pageRequest(making), weight: 10 },
  )
  return sometimes(0.04, rawRequest, sometimes(making.wrong, distorted(meant), meant))
}

/** @returns whether the answer is as it should be */
function note(outcome: FuzzOutcome, request: FuzzRequest, answer: FuzzAnswer): boolean {
  outcome.sent += 1
  add(outcome.calls, request.label)
  add(outcome.statuses, answer.status)
  const planned = findPlanned(request, answer)
  if (planned) add(outcome.planned, `${planned} ${request.label}`)
  const fault = findFault(request, answer)
  if (!fault) return true
  const what = `${request.label}: ${fault} (${answer.status})`
  const count = (outcome.faults.get(what)?.count ?? 0) + 1
  outcome.faults.set(what, { count, example: describe(request, answer) })
  return false
}

/** So that a fault can be looked into from the report alone. */
function describe(request: FuzzRequest, { text }: FuzzAnswer): string {
  const { as, method, target, headers, body, bytes } = request
  const sent = bytes?.toString('latin1') ?? `${method} ${target} ${JSON.stringify(headers)} ${body}`
  return `${as} sent ${sent.slice(0, EXAMPLE_LENGTH)} and got ${text.slice(0, EXAMPLE_LENGTH)}`
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function learn(known: ReturnType<typeof createKnownValues>, text: string): void {
  try {
    known.learnFrom(JSON.parse(text))
  } catch {
    // Not every answer is JSON.
  }
}
