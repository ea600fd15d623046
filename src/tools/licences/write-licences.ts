import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** An entry of Vite's `build.license`. */
type Bundled = { name: string; version: string; identifier?: string; text?: string }
type Manifest = Record<string, { src?: string }>
type Package = {
  name: string
  version: string
  license: string
  repository?: string | { url: string }
}
type Part = { name: string; version: string; identifier: string; source: string; texts: string[] }

const MODULES = 'node_modules'
/** Served unchanged, or written into bundles by the tools that make them. */
const NOT_AMONG_MODULES = ['swagger-ui-dist', 'rolldown', 'vite']
const CML = {
  identifier: 'Apache-2.0',
  source: 'https://github.com/streaming-video-technology-alliance/common-media-library',
  text: 'svta-cml',
}
/**
 * Packages in the prebuilt bundle of hls.js, which Vite does not see; they are among its
 * `devDependencies`. `text` is the name of a file in this folder.
 */
const WITHIN_OTHERS = [
  {
    name: 'eventemitter3',
    version: '5.0.4',
    identifier: 'MIT',
    source: 'https://github.com/primus/eventemitter3',
    text: 'eventemitter3',
  },
  { name: '@svta/cml-cmcd', version: '2.4.0', ...CML },
  { name: '@svta/cml-id3', version: '1.0.6', ...CML },
  { name: '@svta/cml-structured-field-values', version: '1.1.3', ...CML },
  { name: '@svta/cml-utils', version: '1.5.0', ...CML },
]
const LICENCE_FILE = /^(?:licen[cs]e|copying)\b/i
const NOTICE_FILE = /^notice\b|^swagger-ui-bundle\.js\.LICENSE\.txt$/i
/** Licences of Vite's own dependencies follow in its file. */
const OTHERS_LICENCES = /^# Licenses of bundled dependencies/m
const RULE = '='.repeat(80)

/**
 * Writes the licences of all packages in built pages, or served beside them. Vite lists those with
 * modules; neither it nor a plugin such as rollup-plugin-license sees a typeface, the reader of the
 * API or a notice.
 * @param input.bundled the files that `build.license` wrote, in `input.dist`
 * @throws where a package has no licence text, and none is in this folder
 */
export async function writeLicences(input: {
  root: string
  dist: string
  bundled: string[]
}): Promise<void> {
  const { root, dist } = input
  const parts = new Map<string, Part>()
  const add = async (one: Pick<Bundled, 'name'> & Partial<Bundled>) => {
    const part = await readPart(root, one)
    parts.set(`${part.name}@${part.version}`, part)
  }
  for (const file of input.bundled) {
    for (const one of await readJson<Bundled[]>(join(dist, file))) await add(one)
  }
  for (const name of await listPackagesOfAssets(dist)) await add({ name })
  for (const name of NOT_AMONG_MODULES) await add({ name })
  for (const { text, ...part } of WITHIN_OTHERS) {
    parts.set(`${part.name}@${part.version}`, { ...part, texts: [await readStandIn(text)] })
  }
  const sorted = [...parts.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  await writeFile(join(dist, 'licences.txt'), describe(sorted))
}

/** Files such as typefaces are no modules; the manifest tells their origin. */
async function listPackagesOfAssets(dist: string): Promise<string[]> {
  const manifest = await readJson<Manifest>(join(dist, '.vite', 'manifest.json'))
  const paths = Object.values(manifest).flatMap(({ src }) => src?.split(`${MODULES}/`).at(1) ?? [])
  return paths.flatMap((path) => /^(?:@[^/]+\/)?[^/]+/.exec(path) ?? [])
}

async function readPart(root: string, one: { name: string } & Partial<Bundled>): Promise<Part> {
  const { name } = one
  const folder = join(root, MODULES, name)
  const found = await readJson<Package>(join(folder, 'package.json'))
  const text = one.text ?? (await readFirst(folder, LICENCE_FILE)) ?? (await readStandIn(name))
  const notice = await readFirst(folder, NOTICE_FILE)
  return {
    name,
    version: one.version ?? found.version,
    identifier: one.identifier ?? found.license,
    source: sourceOf(found),
    texts: [text.split(OTHERS_LICENCES)[0] ?? text, ...(notice ? [notice] : [])],
  }
}

async function readFirst(folder: string, name: RegExp): Promise<string | undefined> {
  const files = (await readdir(folder)).filter((file) => name.test(file)).sort()
  if (files.length === 0) return undefined
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return texts.join('\n\n')
}

/** The file comes from the repository of a package whose archive lacks it. */
async function readStandIn(name: string): Promise<string> {
  try {
    return await readFile(join(import.meta.dirname, `${name.replace('/', '-')}.txt`), 'utf8')
  } catch {
    throw new Error(`The package ${name} brings no licence: put its text into src/tools/licences/.`)
  }
}

function sourceOf({ repository }: Package): string {
  const url = typeof repository === 'string' ? repository : (repository?.url ?? '')
  return url
    .replace(/^git\+/, '')
    .replace(/^git@([^:]+):/, 'https://$1/')
    .replace(/^git:/, 'https:')
    .replace(/\.git$/, '')
}

function describe(parts: Part[]): string {
  const list = parts.map(({ name, version, identifier }) => `  ${name} ${version}: ${identifier}`)
  const head = [
    "The pages of this site hold, beside Clutch's own code, the work of others:",
    list.join('\n'),
    'Their licences follow. Clutch changes none of these packages.',
  ]
  return `${[...head, ...parts.map((part) => describePart(part, parts))].join('\n\n')}\n`
}

function describePart(part: Part, parts: Part[]): string {
  const { name, version, identifier, source, texts } = part
  const lines = [RULE, `${name} ${version}`, `Licence: ${identifier}`]
  if (source) lines.push(`Source: ${source}`)
  if (identifier === 'MPL-2.0') {
    lines.push(`Its source code is also in its package on npm: npm pack ${name}@${version}`)
  }
  const whole = hasTerms(part) ? undefined : parts.find((one) => refersTo(part, one))
  if (whole) lines.push(`The whole text of ${identifier} stands at ${whole.name}.`)
  return [
    lines.join('\n'),
    RULE,
    ...texts.map((text) => text.replaceAll('\r\n', '\n').trim()),
  ].join('\n\n')
}

/** Some packages have the notice of the Apache Licence, but not the licence. */
const hasTerms = ({ identifier, texts }: Part) =>
  identifier !== 'Apache-2.0' || texts.some((text) => /TERMS AND CONDITIONS FOR USE/.test(text))

const refersTo = (part: Part, other: Part) =>
  other !== part && other.identifier === part.identifier && hasTerms(other)

async function readJson<Content>(path: string): Promise<Content> {
  return JSON.parse(await readFile(path, 'utf8')) as Content
}
