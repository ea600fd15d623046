import { IconMoodOff } from '@tabler/icons-react'
import { trpc } from '#client/trpc.ts'
import { MenuItem } from '../player/menu/menu.tsx'
import { useTakeBack } from './use-take-back.ts'

type TakeBackItemProps = { videoId: number; onClose: () => void }

/** Is in the player's menu if the viewer has reacted. */
export function TakeBackItem({ videoId, onClose }: TakeBackItemProps) {
  const own = trpc.reaction.own.useQuery({ id: videoId }).data
  const takeBack = useTakeBack(videoId)
  if (!own || own.count === 0) return null
  const press = () => {
    onClose()
    takeBack()
  }
  return (
    <MenuItem
      icon={<IconMoodOff size={20} />}
      label="Take my reactions back"
      value={own.count}
      onPress={press}
    />
  )
}
