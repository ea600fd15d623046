import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type Exchange, passOn, sendBack, startLocalServer } from './proxy.ts'

const CODES = {
  400: 'BadDigest',
  403: 'AccessDenied',
  404: 'NoSuchKey',
  409: 'OperationAborted',
  500: 'InternalError',
  503: 'SlowDown',
}
type Refusal = keyof typeof CODES

/**
 * What becomes of a request: its connection breaks, nothing is ever answered, it is done but its answer is lost, the answer
 * breaks off in its middle or after some bytes of its body, one byte of what is sent is changed on its way, it is refused with
 * a status, or it arrives late, even when its sender is gone by then: after some milliseconds, or (`hold`) when `arrive` is
 * called, while its sender sees a broken connection.
 */
export type Fault =
  | 'drop'
  | 'stall'
  | 'lose'
  | 'truncate'
  | 'corrupt'
  | 'hold'
  | { after: number }
  | { lateMs: number }
  | Refusal

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>

/** A proxy before an HTTP server that makes faults for as long as it is told to. */
export async function startFaultProxy(target: string) {
  const seen: string[] = []
  let faults: { fault: Fault; left: number; of: RegExp }[] = []
  let delayMs = 0
  let putHeaders: Record<string, string> = {}
  const ranges: string[] = []
  const digests: string[] = []
  const conditions: string[] = []
  const late: string[] = []
  let held: (() => Promise<void>)[] = []
  let arrivals = 0

  function nextFault(line: string): Fault | undefined {
    const next = faults.find(({ of, left }) => left > 0 && of.test(line))
    if (next) next.left--
    return next?.fault
  }

  async function receiveLate({ asked, response }: Exchange, ms: number | undefined): Promise<void> {
    const body = await buffer(asked).catch(() => undefined)
    if (!body) return
    late.push(asked.url ?? '')
    response.on('error', () => {})
    const send = () => {
      arrivals += 1
      return sendDetached({ asked, response }, target, body)
    }
    if (ms === undefined) {
      held.push(send)
      response.destroy()
    } else {
      await pause(ms, undefined, { ref: false })
      await send()
    }
  }

  const server = await startLocalServer(async ({ asked, response }) => {
    const { method } = asked
    const line = `${method} ${asked.url}`
    seen.push(line)
    ranges.push(asked.headers.range ?? '')
    digests.push(asked.headers['content-md5']?.toString() ?? '')
    conditions.push(asked.headers['if-match'] ?? '')
    asked.on('error', () => {})
    if (delayMs > 0) await pause(delayMs)
    const fault = nextFault(line)
    if (fault === 'stall') return
    if (fault === 'drop') return asked.socket.destroy()
    if (typeof fault === 'number') return refuse(asked, response, fault)
    if (fault === 'hold') return receiveLate({ asked, response }, undefined)
    if (typeof fault === 'object' && 'lateMs' in fault)
      return receiveLate({ asked, response }, fault.lateMs)
    passOn({ asked, response }, target, {
      body: fault === 'corrupt' ? asked.pipe(changeOneByte()) : asked,
      answer(answer) {
        if (fault === 'lose') return asked.socket.destroy()
        const more = method === 'PUT' ? putHeaders : {}
        if (fault !== 'truncate' && typeof fault !== 'object')
          return sendBack(answer, response, more)
        response.writeHead(answer.statusCode ?? 500, { ...answer.headers, ...more })
        return breakOff(answer, response, fault === 'truncate' ? middleOf(answer) : fault.after)
      },
    })
  })

  return {
    endpoint: server.origin,
    stop: server.stop,
    /** The method and address of each request so far. */
    seen,
    /** The `Range` of each of them. */
    ranges,
    /** The `Content-MD5` and the `If-Match` of each of them. */
    digests,
    conditions,
    /** The addresses of the requests that were to arrive late so far. */
    late,
    /** How many of them have been sent on. */
    countArrivals: () => arrivals,

    /** Makes a fault of the next requests, or of those of them whose line matches. */
    fail(fault: Fault, { times = Number.POSITIVE_INFINITY, of = /./ } = {}): void {
      faults.push({ fault, left: times, of })
    },

    /** Lets each request wait so long. */
    delay(ms: number): void {
      delayMs = ms
    },

    /** Answers every PUT with these headers in place of the server's. */
    answerPuts(headers: Record<string, string>): void {
      putHeaders = headers
    },

    /** Sends on the requests that are held, in their order. */
    async arrive(): Promise<void> {
      const arriving = held
      held = []
      for (const send of arriving) await send()
    },

    /** No more faults. */
    heal(): void {
      faults = []
      putHeaders = {}
      delayMs = 0
    },
  }
}

/** Sends on a request whose sender may be gone. @returns when it is answered, or failed */
function sendDetached(exchange: Exchange, target: string, body: Buffer): Promise<void> {
  const onward = passOn(exchange, target, { body: Readable.from([body]), isDetached: true })
  return new Promise((resolve) => onward.on('close', resolve))
}

function refuse(asked: IncomingMessage, response: ServerResponse, status: Refusal): void {
  asked.resume()
  const body = `<?xml version="1.0"?><Error><Code>${CODES[status]}</Code></Error>`
  response.writeHead(status, { 'content-type': 'application/xml' }).end(body)
}

const middleOf = ({ headers }: IncomingMessage) => Math.floor(Number(headers['content-length']) / 2)

/** Sends the head of an answer and so many bytes of its body. */
function breakOff(answer: IncomingMessage, response: ServerResponse, bytes: number): void {
  let left = bytes
  const end = () => response.destroy()
  if (left === 0) response.flushHeaders()
  answer.on('data', (data: Buffer) => {
    const piece = data.subarray(0, left)
    left -= piece.length
    if (left > 0) response.write(piece)
    else response.write(piece, end)
  })
  answer.on('end', () => {
    if (left > 0) response.end()
  })
}

function changeOneByte(): Transform {
  let isDone = false
  return new Transform({
    transform(data: Buffer, _, done) {
      const piece = Buffer.from(data)
      if (!isDone && piece.length > 0) piece[0] = (piece[0] ?? 0) ^ 1
      isDone = true
      done(null, piece)
    },
  })
}
