import { z } from 'zod'

/** Claims of a provider about the person who signed in. */
export const providerAccountSchema = z.object({
  subject: z.string(),
  name: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  emailIsVerified: z.boolean(),
  avatar: z.string().nullable(),
  /** The provider's own id of the session. */
  session: z.string().nullable(),
  /** When the provider last asked for credentials, in Unix seconds. */
  authTime: z.number().optional(),
  refreshToken: z.string().nullable(),
  /** Discord: roles in the server; undefined for other providers and for people who are not in it. */
  roles: z.array(z.string()).optional(),
})
export type ProviderAccount = z.infer<typeof providerAccountSchema>
