import type { LightMyRequestResponse } from 'fastify'
import { procedureRequest } from './procedure-call.ts'
import type { TestSite } from './test-site.ts'

/** A browser that keeps its cookies, on any node of a site. */
export function openJar(site: TestSite, cookie = '') {
  const cookies = new Map<string, string>()
  for (const pair of cookie.split('; ').filter(Boolean)) {
    const [name = '', value = ''] = pair.split('=')
    cookies.set(name, value)
  }
  let at = site
  async function send(request: object): Promise<LightMyRequestResponse> {
    const { headers, ...rest } = request as { headers?: Record<string, string> }
    const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await at.call({ ...rest, headers: { ...headers, cookie: sent } })
    for (const { name, value, maxAge } of answer.cookies) {
      if (value === '' || maxAge === 0) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  return {
    cookies,
    /** Sends further requests to another node. */
    moveTo(other: TestSite): void {
      at = other
    },
    post: (url: string, payload: object = {}) => send({ method: 'POST', url, payload }),
    get: (url: string) => send({ method: 'GET', url }),
    /**
     * Calls a procedure.
     * @throws when it is refused
     */
    async ask<Output>(name: string, input?: object): Promise<Output> {
      const answer = await send(procedureRequest(name, input))
      if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.body}`)
      return answer.json().result.data
    },
    /** Returns the status and sentence of a procedure that refuses. */
    async refusal(name: string, input?: object): Promise<string> {
      const answer = await send(procedureRequest(name, input))
      return `${answer.statusCode} ${answer.json().error?.message ?? answer.body}`
    },
    /** Returns the answer, whether refused or not. */
    call: (name: string, input?: object) => send(procedureRequest(name, input)),
  }
}
export type Jar = ReturnType<typeof openJar>
