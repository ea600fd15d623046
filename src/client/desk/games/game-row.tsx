import '../../kit/styles/mantine-pages.css'
import '@mantine/core/styles/ColorSwatch.layer.css'
import '@mantine/core/styles/ColorPicker.layer.css'
import '@mantine/core/styles/ColorInput.layer.css'
import { Button, ColorInput } from '@mantine/core'
import {
  IconArchive,
  IconArchiveOff,
  IconPaletteOff,
  IconPhotoOff,
  IconTrash,
} from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { look, row } from '#client/kit/layout/layout.ts'
import { GameName } from '#client/kit/video/game-facts.tsx'
import { GAME_COLOUR_RULE, isColour, toColour } from '#shared/colour.ts'
import { DEFAULT_CATEGORY } from '#shared/limits.ts'
import type { Game } from '#shared/schemas/desk/site.schemas.ts'
import { formatCount } from '#shared/text/format.ts'
import { PickFile } from '../../kit/control/pick-file.tsx'
import { AskDialog } from '../../kit/dialog/ask-dialog.tsx'
import { RowMenu } from '../../kit/menu/row-menu.tsx'
import { postForm } from '../../platform/post-form.ts'
import { trpc } from '../../trpc.ts'
import { useDeskAction } from '../use-desk-action.ts'
import classes from './games-panel.module.css'

/** The field shows this for a game without a colour. */
const NO_COLOUR = '#7c8699'

type GameRowProps = {
  game: Game
  /** Moves the game. Built-in games have no handle. */
  handle?: ReactNode
}

export function GameRow({ game, handle }: GameRowProps) {
  const { name, artUrl, isArchived, isBuiltIn, videoCount } = game
  return (
    <div
      className={classes.row}
      data-game={name}
      data-fixed={isBuiltIn || undefined}
      data-archived={isArchived || undefined}
    >
      {handle}
      <div className={classes.art}>
        {artUrl && <img src={artUrl} alt={`Art of ${name}`} loading="lazy" />}
      </div>
      <div className={look('shrink')}>
        <p className={look('strong', 'breakWords')}>
          <GameName name={name} />
        </p>
        <p className={look('note')}>
          {isArchived ? 'Archived · ' : ''}
          {countText(videoCount)}
        </p>
      </div>
      <GameActions game={game} />
    </div>
  )
}

function countText(count: number): string {
  if (count === 0) return 'No videos yet'
  return count === 1 ? '1 video' : `${formatCount(count)} videos`
}

function GameActions({ game }: { game: Game }) {
  const { name, colour, artUrl, isArchived, isBuiltIn } = game
  const action = useDeskAction('site', 'explore', 'home', 'video')
  const [isAsking, setAsking] = useState(false)
  const save = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData()
      form.set('category', name)
      form.set('picture', file)
      return postForm<{ url: string }>('/api/site/art', form)
    },
    ...action({ done: 'Picture saved', failed: 'Picture not changed' }),
  })
  const removeArt = trpc.site.removeGameArt.useMutation(
    action({ done: 'Picture removed', failed: 'Picture not removed' }),
  )
  const edit = trpc.site.editGame.useMutation(action({ failed: `${name} was not changed` }))
  const remove = trpc.site.removeGame.useMutation(action({ done: `${name} removed` }))
  const items = [
    ...(isBuiltIn
      ? []
      : [
          {
            label: isArchived ? 'Bring back' : 'Archive',
            Icon: isArchived ? IconArchiveOff : IconArchive,
            onPress: () => edit.mutate({ name, isArchived: !isArchived }),
          },
        ]),
    ...(colour !== null && !isBuiltIn
      ? [
          {
            label: 'Use no colour',
            Icon: IconPaletteOff,
            onPress: () => edit.mutate({ name, colour: null }),
          },
        ]
      : []),
    ...(artUrl
      ? [
          {
            label: 'Remove the picture',
            Icon: IconPhotoOff,
            onPress: () => removeArt.mutate({ name }),
          },
        ]
      : []),
    ...(isBuiltIn
      ? []
      : [{ label: 'Remove', Icon: IconTrash, isDanger: true, onPress: () => setAsking(true) }]),
  ]
  return (
    <div className={`${row(8)} ${classes.actions}`}>
      {!isBuiltIn && (
        <ColourField
          name={name}
          colour={colour ?? NO_COLOUR}
          onChoose={(chosen) => edit.mutate({ name, colour: chosen })}
        />
      )}
      <PickFile
        label={`Choose a picture of ${name}`}
        accept="image/png,image/jpeg"
        onPick={(file) => save.mutate(file)}
      >
        {(button) => (
          <Button variant="default" disabled={save.isPending} {...button}>
            {save.isPending ? 'Saving...' : artUrl ? 'Change picture' : 'Add picture'}
          </Button>
        )}
      </PickFile>
      {items.length > 0 && <RowMenu label={`More for ${name}`} items={items} variant="subtle" />}
      {isAsking && (
        <AskDialog
          title={`Remove ${name}?`}
          confirmLabel="Remove"
          pendingLabel="Removing..."
          isDanger
          onConfirm={() => remove.mutateAsync({ name })}
          onClose={() => setAsking(false)}
        >
          {`Videos in it move to ${DEFAULT_CATEGORY}, and do not come back when the name is added again. To keep them, archive the game.`}
        </AskDialog>
      )}
    </div>
  )
}

type ColourFieldProps = { name: string; colour: string; onChoose: (colour: string) => void }

/** Saves a colour when the picker is released, and one that was typed when the field loses focus. */
function ColourField({ name, colour, onChoose }: ColourFieldProps) {
  const [saved, setSaved] = useState(colour)
  const [value, setValue] = useState(colour)
  const [error, setError] = useState<string>()
  const latest = useRef(value)
  const show = (text: string) => {
    latest.current = text
    setValue(text)
    setError(undefined)
  }
  if (colour !== saved) {
    setSaved(colour)
    setValue(colour)
  }
  const choose = (text: string) => {
    const chosen = toColour(text)
    if (chosen === undefined) return setError(GAME_COLOUR_RULE)
    show(chosen)
    if (chosen !== colour) onChoose(chosen)
  }
  return (
    <ColorInput
      className={classes.colour}
      aria-label={`Colour of ${name}`}
      withEyeDropper={false}
      fixOnBlur={false}
      value={value}
      error={error}
      onChange={show}
      // A text such as #336 may be the beginning of #3366cc, so it is saved on blur only.
      onChangeEnd={(chosen) => isColour(latest.current) && choose(chosen)}
      onBlur={() => choose(value)}
    />
  )
}
