/** Groups of four are easier to type. */
export const inGroups = (text: string, between: string): string =>
  text.replaceAll(/(.{4})(?=.)/g, `$1${between}`)
