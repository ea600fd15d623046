import { z } from 'zod'
import { PROVIDER_NAME_MAX } from '#shared/providers.ts'

/** An identity provider from the environment. What it may do on the site is set at the desk. */
export type EnvironmentProvider = {
  name: string
  issuer: string
  clientId: string
  clientSecret: string
}

const VARIABLE = /^OIDC_(\d{1,3})_(ISSUER|CLIENT_ID|CLIENT_SECRET|CLIENT_SECRET_FILE|NAME)$/

const variablesSchema = z.object({
  ISSUER: z.url({ protocol: /^https?$/, error: 'must be the https address of the provider' }),
  CLIENT_ID: z.string({ error: 'must be set' }),
  CLIENT_SECRET: z.string({ error: 'must be set, itself or by its file' }),
  NAME: z
    .string()
    .max(PROVIDER_NAME_MAX, `must have at most ${PROVIDER_NAME_MAX} characters`)
    .optional(),
})

type Environment = Record<string, string | undefined>

const numbersOf = (environment: Environment) =>
  [...new Set(Object.keys(environment).map((name) => VARIABLE.exec(name)?.[1]))]
    .filter((number) => number !== undefined)
    .sort((one, other) => Number(one) - Number(other))

export function providerSecrets(environment: Environment): string[] {
  return numbersOf(environment).map((number) => `OIDC_${number}_CLIENT_SECRET`)
}

/** @returns a sentence if a provider is incomplete */
export function readProviders(environment: Environment): EnvironmentProvider[] | string {
  const providers: EnvironmentProvider[] = []
  for (const number of numbersOf(environment)) {
    const name = (field: string) => `OIDC_${number}_${field}`
    const fields = Object.keys(variablesSchema.shape)
    const given = Object.fromEntries(fields.map((field) => [field, environment[name(field)]]))
    const result = variablesSchema.safeParse(given)
    if (!result.success) {
      const issue = result.error.issues[0]
      return `${name(String(issue?.path[0]))} ${issue?.message ?? 'is wrong'}.`
    }
    const { ISSUER, CLIENT_ID, CLIENT_SECRET, NAME } = result.data
    const url = new URL(ISSUER)
    const issuer = url.pathname === '/' && url.search === '' ? url.origin : ISSUER
    const same = providers.find((one) => one.issuer === issuer && one.clientId === CLIENT_ID)
    if (same) return `${name('CLIENT_ID')} must differ from that of ${same.name}.`
    providers.push({
      name: NAME ?? url.hostname,
      issuer,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
    })
  }
  return providers
}
