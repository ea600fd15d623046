import type { ServerProcess } from '#test/support/server-process.ts'
import { writeRows } from '#test/support/site-rows.ts'
import { createRandom } from '#tools/seed/random.ts'
import { findFault, findPlanned } from './check-answer.ts'
import { distortRequest } from './distort-request.ts'
import { makeFormRequest } from './form-request.ts'
import type { Making } from './from-schema.ts'
import { type FuzzRequest, PEOPLE } from './fuzz-request.ts'
import { createKnownValues } from './known-values.ts'
import { makePageRequest } from './page-request.ts'
import { type Identities, restorePeople } from './people.ts'
import { makeBatchRequest, makeProcedureRequest } from './procedure-request.ts'
import { makeRawRequest } from './raw-request.ts'
import { makeRestRequest, type Operation, readOperations } from './rest-request.ts'
import { createSender, type FuzzAnswer, type Sender } from './send-request.ts'

/** Requests are made and sent in rounds: those of one know the answers of all before it. */
const ROUND = 250
const AT_ONCE = 16
const EXAMPLE_LENGTH = 600

export type FuzzOutcome = {
  sent: number
  seconds: number
  /** How often each status was answered; 0 for a connection that ended without. */
  statuses: Map<number, number>
  /** Planned 5xx answers, those within a batch too, by status and call. */
  planned: Map<string, number>
  /** How many different calls were made. */
  calls: number
  /** How often each fault was found, with the first request that showed it. */
  faults: Map<string, { count: number; example: string }>
}

/** Sends `requests` requests to a running site; the same seed makes the same ones. */
export async function runFuzz(
  server: ServerProcess,
  input: { seed: number; requests: number; log?: (line: string) => void },
): Promise<FuzzOutcome> {
  const { seed, requests, log } = input
  const document = await (await fetch(`${server.origin}/api/openapi.json`)).json()
  const operations = readOperations(document)
  const random = createRandom(seed, 'fuzz')
  const known = createKnownValues()
  const sender = createSender(server.port)
  const outcome = newOutcome()
  const labels = new Set<string>()
  const began = performance.now()
  while (outcome.sent < requests) {
    const people = await writeRows(server, (db) => restorePeople(db, server.dataFolder))
    const amount = Math.min(ROUND, requests - outcome.sent)
    const round = Array.from({ length: amount }, () => {
      const making: Making = { random, known, wrong: random.pick([0, 0, 0.02, 0.1, 0.3]) }
      return makeRequest(operations, making)
    })
    const answers = await sendAll(sender, { round, people })
    for (const [index, request] of round.entries()) {
      labels.add(request.label)
      note(outcome, request, answers[index] as FuzzAnswer)
    }
    for (const { status, text } of answers) if (status === 200) learn(known, text)
    if (outcome.sent % (ROUND * 40) === 0) log?.(`${outcome.sent} requests sent`)
  }
  sender.close()
  outcome.seconds = (performance.now() - began) / 1000
  outcome.calls = labels.size
  return outcome
}

function newOutcome(): FuzzOutcome {
  const [statuses, planned, faults] = [new Map(), new Map(), new Map()]
  return { sent: 0, seconds: 0, calls: 0, statuses, planned, faults }
}

function makeRequest(operations: Operation[], making: Making): FuzzRequest {
  const { random, wrong } = making
  const as = random.pick(PEOPLE)
  const kind = random.fraction()
  if (kind > 0.96) return { ...makeRawRequest(making), as }
  const request = makeWellMeant(operations, kind, making)
  return { ...(random.chance(wrong) ? distortRequest(request, making) : request), as }
}

function makeWellMeant(operations: Operation[], kind: number, making: Making) {
  const { random } = making
  const forms = operations.filter(({ form }) => form)
  const calls = operations.filter(({ form }) => !form)
  if (kind < 0.34) return makeRestRequest(random.pick(calls), making)
  if (kind < 0.7) return makeProcedureRequest(making)
  if (kind < 0.8) return makeBatchRequest(making)
  if (kind < 0.86) return makeFormRequest(random.pick(forms), making)
  return makePageRequest(making)
}

/** @returns the answers in the order of the requests */
async function sendAll(
  sender: Sender,
  { round, people }: { round: FuzzRequest[]; people: Identities },
): Promise<FuzzAnswer[]> {
  const answers: FuzzAnswer[] = []
  let next = 0
  const work = async () => {
    while (next < round.length) {
      const index = next++
      const request = round[index] as FuzzRequest
      const headers = [...people[request.as], ...request.headers]
      answers[index] = await sender.send({ ...request, headers })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return answers
}

function note(outcome: FuzzOutcome, request: FuzzRequest, answer: FuzzAnswer): void {
  outcome.sent += 1
  add(outcome.statuses, answer.status)
  const planned = findPlanned(request, answer)
  if (planned) add(outcome.planned, `${planned} ${request.label}`)
  const fault = findFault(request, answer)
  if (!fault) return
  const what = `${request.label}: ${fault} (${answer.status})`
  const shown = outcome.faults.get(what) ?? { count: 0, example: describe(request, answer) }
  outcome.faults.set(what, { ...shown, count: shown.count + 1 })
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
