/** The issuer that stands for Discord. */
export const DISCORD = 'https://discord.com'

/** Characters. */
export const PROVIDER_NAME_MAX = 40
