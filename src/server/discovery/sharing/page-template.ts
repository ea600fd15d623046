import { readFile } from 'node:fs/promises'

export async function readPageTemplate(path: string) {
  const plain = await readFile(path, 'utf8')
  const title = /<title>[^<]*<\/title>/.exec(plain)
  const [start, end] = title ? [title.index, title.index + title[0].length] : [0, 0]
  return { before: plain.slice(0, start), after: plain.slice(end) }
}
