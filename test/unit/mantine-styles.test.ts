import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const CLIENT = join(import.meta.dirname, '..', '..', 'src', 'client')

/** The components whose styles a file brings. */
async function styledBy(file: string): Promise<string[]> {
  const [path] = await Array.fromAsync(glob(`**/${file}`, { cwd: CLIENT }))
  const text = await readFile(join(CLIENT, path ?? file), 'utf8')
  return [...text.matchAll(/core\/styles\/(\w+)\.layer\.css/g)].map(([, name = '']) => name)
}

/** Components that are drawn with the styles of others, or with none. */
const PARTS: Record<string, string> = {
  TextInput: 'Input',
  Textarea: 'Input',
  NativeSelect: 'Input',
  Select: 'Combobox',
  Autocomplete: 'Combobox',
  RangeSlider: 'Slider',
  TagsInput: 'PillsInput',
  MantineProvider: 'global',
  FileButton: 'global',
  FileInput: 'Input',
  Collapse: 'global',
}

test('whatever uses one of Mantine’s components has its styles', async () => {
  const [everywhere, elsewhere] = await Promise.all([
    styledBy('mantine.css'),
    styledBy('mantine-pages.css'),
  ])
  const missing: string[] = []
  let uses = 0
  for await (const path of glob('**/*.tsx', { cwd: CLIENT })) {
    const text = await readFile(join(CLIENT, path), 'utf8')
    const names = /import \{([^}]*)\} from '@mantine\/core'/.exec(text)?.[1]?.split(',') ?? []
    for (const name of names.map((one) => one.trim()).filter((one) => /^[A-Z]/.test(one))) {
      uses += 1
      const style = PARTS[name] ?? name
      if (everywhere.includes(style)) continue
      if (elsewhere.includes(style) && text.includes('/mantine-pages.css')) continue
      if (text.includes(`core/styles/${style}.layer.css`)) continue
      missing.push(`${path}: ${name}`)
    }
  }
  expect(uses).toBeGreaterThan(50)
  expect(missing).toEqual([])
})
