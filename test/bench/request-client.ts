import { once } from 'node:events'
import { connect } from 'node:net'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'

const READ_BYTES = 64 * 1024
const HEAD_BYTES_MAX = 4096
const HEAD_END = '\r\n\r\n'
const OK = 'HTTP/1.1 200 '
const CONTENT_LENGTH = /^content-length: (\d+)$/im
/** After the end, when nobody was answered at all. */
const NO_ANSWER_MS = 1000
/** After that, for the last answer when others came. */
const TIMEOUT_MS = 10_000

type Load = { count: number; perSecond: number; p99Ms: number }
type Server = { host: string; port: number }
type Where = { origin: string; connections: number; seconds: number }
export type Question = { path: string; headers: Record<string, string> }

/**
 * Asks the same again and again on so many connections, each as soon as it has its answer. Answers are
 * counted by their bytes, which are as many as those of the first: a client that looks into each of them
 * takes longer than the server does, and would measure itself.
 * @throws when an answer is not a 200, longer or shorter than the first, or does not come while others do
 */
export async function repeatRequest({ path, headers, ...where }: Where & Question): Promise<Load> {
  const request = writeRequest(where.origin, { path, headers })
  const bytes = await measureAnswer(serverOf(where.origin), request)
  const sleep = stayAwake()
  return ask(where, { next: () => request, lengthOf: () => bytes }).finally(sleep)
}

/**
 * Keeps this process from sleeping until the returned function is called. Waking a client that sleeps is counted
 * as time of the server that answers it, and takes longer than the answer on a virtual machine.
 */
function stayAwake(): () => void {
  let turn = setImmediate(next)
  function next() {
    turn = setImmediate(next)
  }
  return () => clearImmediate(turn)
}

/**
 * The same with another question each time.
 * @throws when an answer is not a 200 that says how long it is
 */
export function askQuestions({ next, ...where }: Where & { next: () => Question }): Promise<Load> {
  return ask(where, {
    next: () => writeRequest(where.origin, next()),
    lengthOf: (readBegin) => readLength(readBegin()),
  })
}

function serverOf(origin: string): Server {
  const { hostname, port } = new URL(origin)
  return { host: hostname, port: Number(port) }
}

function writeRequest(origin: string, { path, headers }: Question): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const host = `host: ${origin.slice(origin.indexOf('//') + 2)}`
  return Buffer.from([`GET ${path} HTTP/1.1`, host, ...lines, '', ''].join('\r\n'))
}

/** How many bytes an answer has, head and body; NaN when it does not say so in its first packet. */
function readLength(begin: string): number {
  const headEnd = begin.indexOf(HEAD_END)
  const length = CONTENT_LENGTH.exec(begin.slice(0, headEnd))?.[1]
  return headEnd < 0 || !length ? Number.NaN : headEnd + HEAD_END.length + Number(length)
}

async function measureAnswer(server: Server, request: Buffer): Promise<number> {
  const socket = connect(server).setEncoding('latin1')
  let answer = ''
  socket.on('data', (piece: string) => {
    answer += piece
  })
  socket.write(request)
  while (!answer.includes(HEAD_END)) await once(socket, 'data')
  socket.destroy()
  const bytes = readLength(answer)
  if (!answer.startsWith(OK) || Number.isNaN(bytes)) {
    throw new Error(`The answer begins ${answer.slice(0, 40)}.`)
  }
  return bytes
}

type Questions = { next: () => Buffer; lengthOf: (readBegin: () => string) => number }

async function ask({ origin, connections, seconds }: Where, questions: Questions): Promise<Load> {
  const micros = createHistogram()
  const began = performance.now()
  const until = began + seconds * 1000
  const asking = { ...questions, server: serverOf(origin), micros, until }
  await Promise.all(Array.from({ length: connections }, () => askUntil(asking)))
  const lasted = (performance.now() - began) / 1000
  return {
    count: micros.count,
    perSecond: micros.count / lasted,
    p99Ms: micros.percentile(99) / 1000,
  }
}

/** Resolves after the first answer beyond a moment of `performance.now()`, or when nobody is answered. */
function askUntil(
  input: Questions & { server: Server; micros: RecordableHistogram; until: number },
): Promise<void> {
  const { next, lengthOf, server, micros, until } = input
  return new Promise((resolve, reject) => {
    let received = 0
    let answerBytes = 0
    let askedAt = 0
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
    const ask = () => {
      received = 0
      const request = next()
      askedAt = performance.now()
      socket.write(request)
    }
    const finish = () => {
      clearTimeout(late)
      socket.destroy()
      resolve()
    }
    const fail = (problem: string) => {
      clearTimeout(late)
      socket.destroy()
      reject(new Error(`An answer ${problem}.`))
      return false
    }
    const onBytes = (count: number): boolean => {
      if (received === 0) {
        if (buffer.toString('latin1', 0, OK.length) !== OK) return fail('is no 200')
        answerBytes = lengthOf(() => buffer.toString('latin1', 0, Math.min(count, HEAD_BYTES_MAX)))
      }
      received += count
      if (!(received <= answerBytes)) return fail('has another length than it should')
      if (received !== answerBytes) return true
      const now = performance.now()
      micros.record(Math.max(1, Math.round((now - askedAt) * 1000)))
      if (now < until) ask()
      else finish()
      return true
    }
    const onLate = () => {
      if (micros.count === 0 && received === 0) finish()
      else late = setTimeout(() => fail('does not come, or not whole'), TIMEOUT_MS)
    }
    let late = setTimeout(onLate, until - performance.now() + NO_ANSWER_MS)
    const socket = connect({ ...server, onread: { buffer, callback: onBytes } }, ask)
    socket.setNoDelay(true)
    socket.on('error', reject).on('end', () => reject(new Error('The server hung up.')))
  })
}
