import '../styles/mantine-pages.css'
import { Select } from '@mantine/core'
import { row } from '#client/kit/layout/layout.ts'
import { useCategories } from '#client/platform/use-site.ts'
import type { Category } from '#shared/limits.ts'
import classes from './game-select.module.css'

const KEEP = 'Keep as it is'

type GameSelectProps<Value extends Category | null> = {
  value: Value
  onChange: (category: Value) => void
  /** Adds an option for no change. */
  canKeep?: boolean
}

export function GameSelect<Value extends Category | null>(props: GameSelectProps<Value>) {
  const { value, onChange, canKeep = false } = props
  const categories = useCategories()
  // An archived game stays an option for videos that already have it.
  const own = value && !categories.includes(value) ? [value] : []
  return (
    <Select<string>
      label="Category"
      data={[...(canKeep ? [KEEP] : []), ...categories, ...own]}
      maxDropdownHeight={340}
      leftSection={<GameDot category={value ?? ''} />}
      renderOption={({ option }) => (
        <span className={row(8)}>
          <GameDot category={option.value} />
          {option.label}
        </span>
      )}
      value={value ?? KEEP}
      onChange={(category) => category && onChange((category === KEEP ? null : category) as Value)}
    />
  )
}

function GameDot({ category }: { category: string }) {
  return <span className={classes.dot} data-game={category} aria-hidden="true" />
}
