/** The issuer of the provider that is Discord. */
export const DISCORD = 'https://discord.com'

/** Characters. */
export const PROVIDER_NAME_MAX = 40
