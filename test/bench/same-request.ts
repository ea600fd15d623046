import { once } from 'node:events'
import { connect } from 'node:net'
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'

const READ_BYTES = 64 * 1024
const HEAD_END = '\r\n\r\n'
const OK = 'HTTP/1.1 200 '
const CONTENT_LENGTH = /^content-length: (\d+)$/im
/** Then something was answered otherwise than the first time. */
const TIMEOUT_MS = 10_000

type Load = { count: number; perSecond: number; p99Ms: number }

/**
 * Asks the same again and again on so many connections, each as soon as it has its answer. Answers are
 * counted by their bytes, which are as many as those of the first: a client that looks into each of them
 * takes longer than the server does, and would measure itself.
 * @throws when an answer is not a 200, or longer or shorter than the first
 */
export async function repeatRequest(input: {
  origin: string
  path: string
  headers: Record<string, string>
  connections: number
  seconds: number
}): Promise<Load> {
  const { hostname, port, host } = new URL(input.origin)
  const lines = Object.entries({ host, ...input.headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const request = Buffer.from([`GET ${input.path} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
  const server = { host: hostname, port: Number(port) }
  const answerBytes = await measureAnswer(server, request)
  const micros = createHistogram()
  const began = performance.now()
  const until = began + input.seconds * 1000
  const asking = { server, request, answerBytes, micros, until }
  await Promise.all(Array.from({ length: input.connections }, () => askUntil(asking)))
  const seconds = (performance.now() - began) / 1000
  return {
    count: micros.count,
    perSecond: micros.count / seconds,
    p99Ms: micros.percentile(99) / 1000,
  }
}

/** How many bytes an answer has, head and body. */
async function measureAnswer(server: { host: string; port: number }, request: Buffer) {
  const socket = connect(server).setEncoding('latin1')
  let answer = ''
  socket.on('data', (piece: string) => {
    answer += piece
  })
  socket.write(request)
  while (!answer.includes(HEAD_END)) await once(socket, 'data')
  socket.destroy()
  const head = answer.slice(0, answer.indexOf(HEAD_END))
  const length = CONTENT_LENGTH.exec(head)?.[1]
  if (!head.startsWith(OK) || !length) throw new Error(`The answer begins ${head.slice(0, 40)}.`)
  return head.length + HEAD_END.length + Number(length)
}

/** Resolves after the first answer beyond a moment of `performance.now()`. */
function askUntil(input: {
  server: { host: string; port: number }
  request: Buffer
  answerBytes: number
  micros: RecordableHistogram
  until: number
}): Promise<void> {
  const { server, request, answerBytes, micros, until } = input
  return new Promise((resolve, reject) => {
    let received = 0
    let askedAt = 0
    const buffer = Buffer.allocUnsafeSlow(READ_BYTES)
    const ask = () => {
      received = 0
      askedAt = performance.now()
      socket.write(request)
    }
    const onBytes = (count: number): boolean => {
      if (received === 0 && buffer.toString('latin1', 0, OK.length) !== OK) fail('is no 200')
      received += count
      if (received > answerBytes) fail('has another length')
      if (received !== answerBytes) return true
      const now = performance.now()
      micros.record(Math.max(1, Math.round((now - askedAt) * 1000)))
      if (now < until) ask()
      else {
        socket.destroy()
        resolve()
      }
      return true
    }
    const socket = connect({ ...server, onread: { buffer, callback: onBytes } }, ask)
    const fail = (problem: string) => socket.destroy(new Error(`An answer ${problem}.`))
    socket.setNoDelay(true).setTimeout(TIMEOUT_MS, () => fail('is shorter than the first'))
    socket.on('error', reject).on('end', () => reject(new Error('The server hung up.')))
  })
}
