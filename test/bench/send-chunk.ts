import { type Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

const BOUNDARY = 'clutch-bench-boundary'

export type Target = { origin: string; cookie: string; agent: Agent }

export async function sendChunk(
  { origin, cookie, agent }: Target,
  chunk: { fields: Record<string, string | number>; bytes: Buffer },
): Promise<void> {
  const part = (name: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"`
  const fields = Object.entries(chunk.fields).map(
    ([name, value]) => `${part(name)}\r\n\r\n${value}\r\n`,
  )
  const fileHead = '; filename="blob"\r\nContent-Type: application/octet-stream\r\n\r\n'
  const head = Buffer.from(`${fields.join('')}${part('chunk')}${fileHead}`)
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const headers = {
    cookie,
    'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    'content-length': head.length + chunk.bytes.length + tail.length,
  }
  await new Promise<void>((resolve, reject) => {
    const sending = request(`${origin}/api/uploads/chunk`, { method: 'POST', agent, headers })
    sending.on('error', reject).on('response', async (response) => {
      const answer = await text(response)
      if (response.statusCode === 200) resolve()
      else reject(new Error(`A chunk was answered ${response.statusCode}: ${answer}`))
    })
    sending.write(head)
    sending.write(chunk.bytes)
    sending.end(tail)
  })
}
