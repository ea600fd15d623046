/** What a provider says about who signed in. */
export type ProviderAccount = {
  subject: string
  name: string
  username: string
  email: string | null
  emailIsVerified: boolean
  avatar: string | null
  /** The provider's id of its own session. */
  session: string | null
  /** Unix seconds of the last time that it asked for credentials. */
  authTime?: number | undefined
  refreshToken: string | null
  /** Discord: roles in the server; undefined for other providers and for somebody who is not in it. */
  roles?: string[] | undefined
}
