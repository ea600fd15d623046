import '#client/kit/styles/mantine-pages.css'
import { Button, Skeleton, TextInput } from '@mantine/core'
import { type FormEvent, useMemo, useState } from 'react'
import { look, row, stack } from '#client/kit/layout/layout.ts'
import { Panel } from '#client/kit/panel/panel.tsx'
import { SortableList } from '#client/kit/sortable/sortable-list.tsx'
import { CATEGORY_MAX } from '#shared/limits.ts'
import type { Game } from '#shared/schemas/desk/site.schemas.ts'
import { LoadError } from '../../kit/list/load-error.tsx'
import { errorSentence, serverSentence } from '../../platform/error-message.ts'
import { trpc } from '../../trpc.ts'
import { useDeskAction } from '../use-desk-action.ts'
import { GameRow } from './game-row.tsx'
import classes from './games-panel.module.css'

/** Saves each change at once, unlike the settings around it. */
export function GamesPanel() {
  const games = trpc.site.games.useQuery()
  return (
    <Panel id="games" title="Games">
      <div className={stack(16)}>
        <p className={look('note')}>
          A game’s page begins with its picture, or with the poster of its best video. The eight
          built-in games keep their place and colour. Games that you add can be moved and archived:
          nobody can choose an archived game any more, but its videos stay.
        </p>
        {games.isPending && <Skeleton height={640} radius="md" />}
        {games.error && (
          <LoadError
            text={`The games could not be loaded: ${errorSentence(games.error)}`}
            error={games.error}
            onRetry={() => void games.refetch()}
          />
        )}
        {games.data && (
          <>
            <Games games={games.data} />
            <AddGame />
          </>
        )}
      </div>
    </Panel>
  )
}

function Games({ games }: { games: Game[] }) {
  const action = useDeskAction('site', 'explore')
  const order = trpc.site.orderGames.useMutation(action({ failed: 'The order was not saved' }))
  const own = useMemo(
    () =>
      games
        .filter(({ isBuiltIn }) => !isBuiltIn)
        .map((game) => ({ ...game, id: idOf(game.name), title: game.name })),
    [games],
  )
  const move = (id: number, toIndex: number) => {
    const names = own.filter((game) => game.id !== id).map(({ name }) => name)
    const moved = own.find((game) => game.id === id)
    if (moved) order.mutate({ names: names.toSpliced(toIndex, 0, moved.name) })
  }
  return (
    <>
      <ul className={stack(8)} aria-label="Games of every site">
        {games
          .filter(({ isBuiltIn }) => isBuiltIn)
          .map((game) => (
            <li key={game.name}>
              <GameRow game={game} />
            </li>
          ))}
      </ul>
      {own.length > 0 && (
        <SortableList
          items={own}
          onMove={move}
          renderItem={(game, handle) => <GameRow game={game} handle={handle} />}
        />
      )}
    </>
  )
}

/** Returns an id for `SortableList` that does not change when the game is moved. */
const idOf = (name: string) =>
  [...name].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7)

function AddGame() {
  const [name, setName] = useState('')
  const action = useDeskAction('site', 'explore')
  const { onSuccess, ...others } = action({ done: 'Game added' })
  const add = trpc.site.addGame.useMutation({
    ...others,
    onSuccess: async () => {
      setName('')
      await onSuccess(undefined)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() !== '') add.mutate({ name })
  }
  return (
    <form className={`${row(8, 'start')} ${classes.add}`} noValidate onSubmit={submit}>
      <TextInput
        aria-label="Name of the new game"
        placeholder="Another game"
        maxLength={CATEGORY_MAX}
        value={name}
        error={add.error && serverSentence(add.error)}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={add.isPending}>
        {add.isPending ? 'Adding...' : 'Add'}
      </Button>
    </form>
  )
}
