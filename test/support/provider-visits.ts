import type { LightMyRequestResponse } from 'fastify'
import type { ProviderOutcome } from '#shared/schemas/provider.schemas.ts'
import { followToSite } from './oidc-provider.ts'
import { procedureRequest } from './procedure-call.ts'
import type { TestMember, TestSite } from './test-site.ts'

export const ORIGIN = 'http://localhost'

export type Asked = {
  id: number
  purpose?: 'sign-in' | 'link' | 'confirm'
  next?: string
  rememberMe?: boolean
  invite?: string
  as?: TestMember
}

/** Sends the requests of one browser to a site without a network port. */
export function openBrowser(site: TestSite, member?: TestMember) {
  const jar = new Map<string, string>()
  if (member) jar.set('clutch', member.cookie.replace('clutch=', ''))
  const keep = (answer: LightMyRequestResponse) => {
    for (const { name, value } of answer.cookies) {
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  const headers = () => ({ cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') })
  const call = async (name: string, input?: unknown, node = site) => {
    const request = procedureRequest(name, input)
    const given = 'headers' in request ? request.headers : {}
    return keep(await node.call({ ...request, headers: { ...given, ...headers() } }))
  }
  const ask = async <Output>(name: string, input?: unknown): Promise<Output> => {
    const answer = await call(name, input)
    if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.statusCode} ${answer.body}`)
    return answer.json().result.data
  }
  const providerCookies = new Map<string, string>()
  return {
    jar,
    call,
    ask,

    /** Begins a visit and returns the address of the provider without opening it. */
    begin: async ({ purpose = 'sign-in', ...input }: Asked) =>
      (await ask<{ url: string }>('provider.begin', { purpose, ...input })).url,

    /** Signs in at the provider. @returns the callback with its answer */
    visit: async (url: string) => followToSite(url, { origin: ORIGIN, cookies: providerCookies }),

    /** Ends the session at the provider. */
    signOutThere: () => providerCookies.clear(),

    /** @returns the page that the callback leads to */
    async end(callback: URL, node = site): Promise<string> {
      const url = `${callback.pathname}${callback.search}`
      const answer = keep(await node.call({ method: 'GET', url, headers: headers() }))
      if (answer.statusCode !== 302) throw new Error(`${answer.statusCode} ${answer.body}`)
      return String(answer.headers.location)
    },

    /**
     * Begins and completes a visit.
     * @returns the page at the end
     */
    async go(asked: Asked): Promise<string> {
      return this.end(await this.visit(await this.begin(asked)))
    },

    /** Returns the sentence that a failed visit shows. */
    async sentence(): Promise<string | undefined> {
      const outcome = await ask<ProviderOutcome | null>('provider.outcome')
      return outcome?.kind === 'problem' ? outcome.sentence : undefined
    },

    /** Returns the username of the signed-in member. */
    async user(): Promise<string | undefined> {
      return (await ask<{ username: string } | null>('auth.currentUser'))?.username
    },
  }
}
