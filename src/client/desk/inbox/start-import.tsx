import '../../kit/styles/mantine-pages.css'
import { Autocomplete, PasswordInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { look } from '#client/kit/layout/layout.ts'
import { DESK_SOURCES, type DeskSource } from '#shared/import-sources.ts'
import type { ImportRun, StartImport as StartWish } from '#shared/schemas/desk/import.schemas.ts'
import { trpc } from '../../trpc.ts'
import { DialogForm } from '../dialog-form.tsx'
import { useDeskAction } from '../use-desk-action.ts'
import { SOURCE_NAMES } from './import-words.ts'

const SOURCES = DESK_SOURCES.map((value) => ({ value, label: SOURCE_NAMES[value] }))

/** Describes what the path must name for each source. */
const PATHS: Record<Exclude<DeskSource, 'mediacms'>, string> = {
  fireshare: 'The data folder of Fireshare, with its db.sqlite.',
  peertube: "A member's export: the ZIP archive, or a folder with its content.",
  medal: 'The folder of clips, with the clips.json of Medal in it.',
  steam: "A folder of Steam's recordings: a clip, or the folder of all.",
}

type Values = {
  source: DeskSource
  owner: string
  path: string
  videosPath: string
  address: string
  token: string
  author: string
}

type StartImportProps = { before: NonNullable<ImportRun['again']> | undefined; onClose: () => void }

export default function StartImport({ before, onClose }: StartImportProps) {
  const isSite = before?.source === 'mediacms'
  const first: Values = {
    source: before?.source ?? 'fireshare',
    owner: before?.owner ?? '',
    path: isSite ? '' : (before?.path ?? ''),
    videosPath: before?.videosPath ?? '',
    address: isSite ? before.path : '',
    token: '',
    author: before?.author ?? '',
  }
  const [values, setValues] = useState(first)
  const action = useDeskAction('import')
  const start = trpc.import.start.useMutation(action({ done: 'The import has begun' }))
  const set: Set = (field, value) => setValues((old) => ({ ...old, [field]: value }))
  return (
    <DialogForm
      title={before ? 'Continue an import' : 'Start an import'}
      submitLabel="Start"
      pendingLabel="Starting..."
      isDirty={JSON.stringify(values) !== JSON.stringify(first)}
      mutation={start}
      onSubmit={() => start.mutate(wishOf(values), { onSuccess: onClose })}
      onClose={onClose}
    >
      <Select<DeskSource>
        label="From"
        data={SOURCES}
        value={values.source}
        onChange={(source) => source && set('source', source)}
      />
      {values.source === 'mediacms' ? (
        <SiteFields values={values} set={set} />
      ) : (
        <PathFields values={values} source={values.source} set={set} />
      )}
      <TextInput
        label="Username of the owner"
        description="The videos become those of this member."
        autoComplete="off"
        value={values.owner}
        onChange={(event) => set('owner', event.currentTarget.value)}
      />
    </DialogForm>
  )
}

function wishOf({ source, owner, path, videosPath, address, token, author }: Values): StartWish {
  if (source === 'mediacms') return { source, owner, address, token, author: author || null }
  const videos = source === 'fireshare' ? videosPath : ''
  return { source, owner, path, videosPath: videos || null }
}

type Set = <Field extends keyof Values>(field: Field, value: Values[Field]) => void
type FieldsProps = { values: Values; set: Set }

function PathFields({
  values,
  source,
  set,
}: FieldsProps & { source: Exclude<DeskSource, 'mediacms'> }) {
  const places = trpc.import.places.useQuery(undefined, { staleTime: 0 })
  if (places.data?.length === 0) {
    return (
      <p className={look('note')} role="status">
        Set IMPORT_FOLDERS to folders on the server, such as IMPORT_FOLDERS=/srv/import, and start
        the site again: what lies in them can be imported here.
      </p>
    )
  }
  const problems = places.data?.filter(({ problem }) => problem !== null) ?? []
  const data = places.data?.flatMap(({ folder, entries }) => [
    folder,
    ...entries.map((entry) => `${folder}/${entry}`),
  ])
  return (
    <>
      <Autocomplete
        label="Folder or file on the server"
        description={PATHS[source]}
        error={
          problems.map(({ folder, problem }) => `${folder}: ${problem}`).join(' ') || undefined
        }
        data={data ?? []}
        limit={100}
        value={values.path}
        onChange={(path) => set('path', path)}
      />
      {source === 'fireshare' && (
        <Autocomplete
          label="Folder of the videos"
          description="Empty if it is beside the data, or in it."
          data={data ?? []}
          limit={100}
          value={values.videosPath}
          onChange={(path) => set('videosPath', path)}
        />
      )}
    </>
  )
}

function SiteFields({ values, set }: FieldsProps) {
  return (
    <>
      <TextInput
        label="Address of MediaCMS"
        placeholder="https://"
        type="url"
        inputMode="url"
        autoComplete="off"
        value={values.address}
        onChange={(event) => set('address', event.currentTarget.value)}
      />
      <PasswordInput
        label="Token"
        description="From MediaCMS. It is not stored: continuing an import asks for it again."
        autoComplete="off"
        value={values.token}
        onChange={(event) => set('token', event.currentTarget.value)}
      />
      <TextInput
        label="Username there"
        description="Empty for the account of the token."
        autoComplete="off"
        value={values.author}
        onChange={(event) => set('author', event.currentTarget.value)}
      />
    </>
  )
}
